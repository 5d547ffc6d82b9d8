/** Counts the work of a generator, so that it yields once per `size` units. */

/** The returned function adds units of work and returns true when the step is complete. */
export function createWorkCounter(size: number): (done: number) => boolean {
  let sum = 0;
  return (done) => {
    sum += done;
    if (sum < size) return false;
    sum = 0;
    return true;
  };
}
