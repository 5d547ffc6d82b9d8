/** The error of a promise that must fail. */
export const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: Error) => error,
  );
