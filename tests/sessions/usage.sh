#!/bin/sh
# The command line itself: help, version, and what is mistyped.
. "${0%/*}/harness.sh"

commands='init create claim start heartbeat checkpoint context complete fail cancel confirm-cancel timeout
  recover retry migrate show list verify batch'

session 'help lists every command'
run workctl --help
exits 0
err_empty
for command in $commands; do
  out_has "$command"
done
out_has '--store'
out_has 'meant for tests'

session 'every command has help with an example'
for command in $commands; do
  run workctl "$command" --help
  exits 0
  err_empty
  out_has "workctl $command"
  out_matches '^[A-Z]*[Ee][Xx][Aa][Mm][Pp][Ll][Ee][Ss]?'
done

session 'the version'
run workctl --version
exits 0
out_matches '^workctl [0-9]+\.[0-9]+\.[0-9]+$'

session 'no command'
run workctl
exits 2

session 'an unknown command, with what is close'
run workctl crate
refused 2 '"crate"'
err_has create
run workctl zzzzzzzz
refused 2 'zzzzzzzz'

session 'an unknown option, with what is close'
quietly workctl init
before=$(log_digest)
run workctl create --definitoin d
refused 2 '--definitoin'
err_has '--definition'
run workctl create --definition d --xyz
refused 2 '--xyz'
run workctl create -x
refused 2 '-x'
unchanged "$before"

session 'a missing value'
run workctl create --definition
refused 2 '--definition'
run workctl --store
refused 2 '--store'
run workctl create --definition ''
refused 2 '--definition'

session 'a value for an option that takes none'
run workctl claim --next=yes
refused 2 '--next'

session 'an option that is given twice'
run workctl create --definition a --definition b
refused 2 'more than once'

session 'too many arguments'
quietly workctl init
run workctl cancel a b
refused 2 '"b"'

session 'global options before and after the command; --name=value; --'
quietly workctl --store s init
run workctl --store s list
exits 0
run workctl list --store=s
exits 0
run workctl list --store s -o id
exits 0
run workctl --store s cancel -- -x
refused 3 '-x'

session 'numbers are decimal'
quietly workctl init
new_work --priority 010
run workctl show "$id" -o jsonl
json .priority 10
for priority in 1.5 0x10 ten 2147483648 ''; do
  run workctl create --definition d --priority "$priority"
  refused 2 '--priority'
done
