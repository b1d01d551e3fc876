package storage

import (
	"errors"
	"fmt"
)

// What keeps a file from being opened.
var (
	// ErrHeld is a file that another process has open.
	ErrHeld = errors.New("another process has the database open: stop the other rubberbot first, or name another file")
	// ErrNewer is a file of a later version of this program.
	ErrNewer = errors.New("the database was written by a newer rubberbot: run that one")
	// ErrNotOurs is a file that is no rubberbot database.
	ErrNotOurs = errors.New("not a rubberbot database: name another file")

	errFolder = errors.New("this is a folder: name a file in it")
)

// What keeps a change from being made.
var (
	// ErrNothingToUndo is an undo at a table where nothing stands.
	ErrNothingToUndo = errors.New("nothing to undo")
	// ErrNothingToRedo is a redo where nothing was undone, or something new was recorded since.
	ErrNothingToRedo = errors.New("nothing to redo")
	// ErrRubberOpen is the start of a rubber while one is in progress.
	ErrRubberOpen = errors.New("a rubber is in progress")
	// ErrNoRubber is a deal or an end where no rubber was started.
	ErrNoRubber = errors.New("no rubber has been started")
)

// ErrDamaged is a file or a record that can't be what this program wrote. Nothing is changed where it is met.
var ErrDamaged = errors.New("the database is damaged: stop, and go back to a copy of the file")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}
