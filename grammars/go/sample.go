// Package queue runs jobs in order.
package queue

import (
	"context"
	"errors"
	"sync"
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("queue: closed")

type (
	// Job is one piece of work.
	Job func(ctx context.Context) error

	// Runner runs jobs.
	Runner interface {
		Run(ctx context.Context, job Job) error
		Close() error
	}
)

// Queue keeps jobs until a worker is free.
type Queue[T any] struct {
	mu     sync.Mutex
	jobs   chan Job
	closed bool
	result T
}

type Priority int

type Alias = Priority

// New returns a queue of the given size.
func New[T any](size int) *Queue[T] {
	return &Queue[T]{jobs: make(chan Job, size)}
}

// Run adds a job and waits for its result.
func (q *Queue[T]) Run(ctx context.Context, job Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	select {
	case q.jobs <- job:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p Priority) String() string {
	return [...]string{"low", "high"}[p]
}
