module example.org/shop/ledger

go 1.22

toolchain go1.22.5

require (
	github.com/jackc/pgx/v5 v5.6.0
	github.com/spf13/cobra v1.8.1
	golang.org/x/sync v0.8.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/puddle/v2 v2.2.1 // indirect
	github.com/spf13/pflag v1.0.5 // indirect
	golang.org/x/crypto v0.26.0 // indirect
	golang.org/x/text v0.17.0 // indirect
)

// Until the fix is released.
replace github.com/spf13/cobra => ../cobra

exclude (
	golang.org/x/sync v0.6.0
	golang.org/x/sync v0.7.0
)

retract [v0.1.0, v0.1.4]
