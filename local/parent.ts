/** Calls `gone` when the process that started this one is no more, so that nothing is left behind. */
export function whenParentIsGone(gone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, 500);
  timer.unref();
}
