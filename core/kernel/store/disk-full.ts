/** SQLite's result codes for a write without room: SQLITE_FULL, and I/O errors such as a short write. */
const sqliteCodes = new Set([13, 10]);
const fileCodes = new Set(["ENOSPC", "EDQUOT"]);

/** Whether a write to SQLite or to a file failed because the disk, or the user's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && fileCodes.has(error.code)) return true;
  // The low byte is the primary result code.
  return (
    "errcode" in error && typeof error.errcode === "number" && sqliteCodes.has(error.errcode & 0xff)
  );
}
