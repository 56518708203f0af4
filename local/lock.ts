import { readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * One process at a time works on a data folder. A lock that a dead process left behind is taken
 * over. Answers how to give it back. Throws when another process holds it.
 */
export function lock(path: string): () => void {
  for (let n = 0; n < 2; n++) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = Number(readFileSync(path, "utf8"));
      if (isAlive(holder))
        throw new Error(`${path}: another Slipway (process ${holder}) works on this folder`);
      rmSync(path, { force: true });
    }
  }
  throw new Error(`${path}: another Slipway just took this folder`);
}

/** Our own number in an old lock belongs to a process that is gone. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
