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
	once  sync.Once
	reply Reply
	sent  bool // answered, or given up
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
	m := &remembered{}
	r.replies[id] = m
	if r.order = append(r.order, id); len(r.order) > recentLength {
		delete(r.replies, r.order[0])
		r.order = r.order[1:]
	}
	return m
}

// done notes that the reply to an interaction is out, or lost.
func (r *recent) done(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.replies[id]; m != nil {
		m.sent = true
	}
}

// underWay says that the reply to an interaction is being made or sent at this moment.
func (r *recent) underWay(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.replies[id]
	return m != nil && !m.sent
}
