/** Says when a generator that goes through much has done enough for one step. */

export function createWorkCounter(size: number): (done: number) => boolean {
  let sum = 0;
  return (done) => {
    sum += done;
    if (sum < size) return false;
    sum = 0;
    return true;
  };
}
