/** Calls `gone` when the parent process has ended, so that this process does not outlive its parent. */
export function whenParentIsGone(gone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, 500);
  timer.unref();
}
