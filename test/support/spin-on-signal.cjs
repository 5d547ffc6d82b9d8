// Loaded into an engine by NODE_OPTIONS: its main thread is busy for ever from the signal on.
process.on("SIGUSR2", () => {
  for (;;);
});
