package bot_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/twin"
	bolt "go.etcd.io/bbolt"
)

// BenchmarkCommands is a command's whole way, from the gateway's event to the reply at Discord, with real discordgo and a
// Discord on loopback. /deal has the deal and the note that it was shown on disk, two commits; beside it stand a command
// that only answers, and a bare bbolt update of about as many bytes: what of /deal is neither is the bot's.
func BenchmarkCommands(b *testing.B) {
	b.Run("deal", func(b *testing.B) {
		c := benchClub(b)
		n := 0
		for b.Loop() {
			// Undo, out of time, keeps the rubber at its twentieth deal.
			n++
			c.do("Nello", "deal", "result", fmt.Sprintf("N 1C -%d", n%7+1))
			b.StopTimer()
			c.do("Nello", "undo")
			b.StartTimer()
		}
	})
	b.Run("help", func(b *testing.B) {
		c := benchClub(b)
		for b.Loop() {
			c.do("Nello", "help")
		}
	})
	b.Run("bbolt", func(b *testing.B) {
		db, err := bolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		value, err := json.Marshal(make([]byte, 600))
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for b.Loop() {
			n++
			if err := db.Update(func(tx *bolt.Tx) error {
				bucket, err := tx.CreateBucketIfNotExists([]byte("journal"))
				if err != nil {
					return err
				}
				return bucket.Put(fmt.Appendf(nil, "%08d", n), value)
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchClub has a rubber of nineteen deals.
func benchClub(b *testing.B) *club {
	c := openWith(b, twin.Config{Keep: 4}, func(*bot.Bot) {})
	c.four()
	for i := range 19 {
		c.do("Nello", "deal", "result", fmt.Sprintf("E 1D -%d", i%7+1))
	}
	return c
}
