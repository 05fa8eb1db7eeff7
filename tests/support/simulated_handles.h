#pragma once

/// Open files and directories on a SimulatedFileSystem.

#include <memory>
#include <string>

#include "support/simulated_machine.h"

namespace workctl {

std::unique_ptr<Directory> open_simulated_directory(std::shared_ptr<SimulatedMachine> machine,
                                                    InodeNumber inode, const std::string& path);

}  // namespace workctl
