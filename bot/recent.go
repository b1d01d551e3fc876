package bot

import "sync"

// recentLength is how many answered interactions are remembered. Discord repeats one within seconds, if at all.
const recentLength = 1024

// recent remembers the replies to the newest interactions, so that one delivered twice is run once and answered the same,
// also where it changed nothing. What it did to a table is safe without this: storage knows the interaction too.
type recent struct {
	mu      sync.Mutex
	replies map[string]*remembered
	order   []string
}

type remembered struct {
	once    sync.Once
	reply   Reply
	lost    bool     // nobody at the table will see what it did
	claimed []string // other interactions, lost before, whose doings this reply shows
}

func newRecent() *recent { return &recent{replies: map[string]*remembered{}} }

// do is the reply to an interaction: run's, the first time.
func (r *recent) do(id string, run func() Reply) Reply {
	m := r.of(id)
	m.once.Do(func() { m.reply = run() })
	return m.reply
}

func (r *recent) of(id string) *remembered {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.replies[id]; m != nil {
		return m
	}
	return r.add(id)
}

// add remembers an interaction and forgets the oldest. It is called with mu held.
func (r *recent) add(id string) *remembered {
	m := &remembered{}
	r.replies[id] = m
	if r.order = append(r.order, id); len(r.order) > recentLength {
		delete(r.replies, r.order[0])
		r.order = r.order[1:]
	}
	return m
}

// lose notes that the people at the table will not see the reply to an interaction, nor what it would have shown of others.
func (r *recent) lose(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.replies[id]; m != nil {
		m.lost = true
		r.release(m)
	}
}

// again notes that an earlier reply to an interaction stands, and that what this one would have shown of others isn't seen.
func (r *recent) again(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.replies[id]; m != nil {
		r.release(m)
	}
}

// release gives back what a reply has claimed. It is called with mu held.
func (r *recent) release(m *remembered) {
	for _, other := range m.claimed {
		if o := r.replies[other]; o != nil {
			o.lost = true
		}
	}
	m.claimed = nil
}

// claim says whether what an interaction did is still to be shown; if so, the reply to another shows it, or loses it again.
func (r *recent) claim(id, by string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.replies[id]
	switch {
	case m == nil:
		r.add(id)
	case !m.lost:
		return false
	default:
		m.lost = false
	}
	if c := r.replies[by]; c != nil {
		c.claimed = append(c.claimed, id)
	}
	return true
}
