package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// openTimeout is how long Open waits for another process to let go of the file.
const openTimeout = time.Second

// Open opens a database file, and makes it where there is none. It fails with [ErrHeld] where another process has it
// open, and with [ErrNewer], [ErrNotOurs] or [ErrDamaged] where it isn't this program's to change; then the file stays
// as it was, to the byte.
func Open(path string) (*Store, error) {
	if err := inspect(path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: openTimeout})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, explain(err))
	}
	err = db.View(check)
	if errors.Is(err, errEmpty) {
		err = db.Update(create)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return &Store{db}, nil
}

// inspect checks a file before it is opened for writing, by which bbolt may write to it, and may die on one cut short.
func inspect(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return errFolder
	case info.Size() == 0:
		return nil
	}
	db, err := bolt.Open(path, 0, &bolt.Options{Timeout: openTimeout, ReadOnly: true})
	if err != nil {
		return explain(err)
	}
	err = db.View(func(tx *bolt.Tx) error {
		info, err := os.Stat(path) // again, now that nobody can be writing
		switch {
		case err != nil:
			return err
		case info.Size() < tx.Size():
			return damaged("the file has %d bytes of %d", info.Size(), tx.Size())
		default:
			return check(tx)
		}
	})
	if errors.Is(err, errEmpty) {
		err = nil
	}
	return errors.Join(err, db.Close())
}

// explain says in this program's words why bbolt didn't open a file.
func explain(err error) error {
	switch _, system := errors.AsType[syscall.Errno](err); {
	case errors.Is(err, berrors.ErrTimeout):
		return ErrHeld
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make its folder first: %w", err)
	case system:
		return err
	default:
		return fmt.Errorf("%w (%w)", ErrNotOurs, err)
	}
}

// errEmpty is a file without any bucket: a new one, or one whose making was cut off.
var errEmpty = errors.New("an empty database")

// check says whether a file is this program's, and of a schema that it knows.
func check(tx *bolt.Tx) error {
	if name, _ := tx.Cursor().First(); name == nil {
		return errEmpty
	}
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		return ErrNotOurs
	}
	schema, err := strconv.Atoi(string(meta.Get(keySchema)))
	switch {
	case err != nil, schema < 1:
		return ErrNotOurs
	case schema > Schema:
		return ErrNewer
	case tx.Bucket(bucketInteractions) == nil, tx.Bucket(bucketTables) == nil:
		return ErrNotOurs
	default:
		return nil
	}
}

func create(tx *bolt.Tx) error {
	for _, name := range [][]byte{bucketInteractions, bucketTables} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	meta, err := tx.CreateBucket(bucketMeta)
	if err != nil {
		return err
	}
	return meta.Put(keySchema, strconv.AppendInt(nil, Schema, 10))
}
