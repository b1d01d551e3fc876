// Package storage keeps for good what happened at every table, in one bbolt file. It knows scoring, and nothing of chat.
//
// What is kept is the deals and a journal of who did what; what they mean is folded anew by scoring each time. Every
// change is one transaction around reading the table, a pure step that decides, and writing, with the number of the
// interaction that asked for it. So a change is there whole or not at all, once [Store.Change] has returned it is on
// disk, and an interaction that arrives twice changes nothing the second time and is answered as the first time.
//
// The buckets:
//
//	meta
//	    schema                      the layout's number, decimal
//	interactions
//	    <interaction>               {table, first, last}: the changes that it made
//	tables
//	    <table>
//	        state                   {revision, rubber, top, redo, unshown}
//	        rubbers
//	            <number, 8 bytes>   {started, players, rules, deals, ended}
//	        journal
//	            <change, 8 bytes>   {at, by, interaction, what, rubber, ...}
//
// Numbers in keys are big-endian, so that keys sort as numbers do. Values are JSON; a deal is its canonical text.
//
// Undo and redo are changes too, and the journal only grows. "top" is the newest change that stands; each change names
// the one that stood before it, so that undo can go on through any number of changes, across the end of a rubber and a
// restart. "redo" are the changes taken back, until something new is recorded. "rubber" is the latest rubber's number, and
// "unshown" are the changes that the people at the table haven't been shown yet.
//
// A record that this program can't have written is met with [ErrDamaged], and then nothing is changed.
//
// A file is held by one process at a time. Reading and writing are safe for concurrent use within it.
package storage
