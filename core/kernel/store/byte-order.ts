/** Compares strings as DynamoDB and SQLite sort them: by UTF-8 bytes (JavaScript's `<` goes by UTF-16). */
export function byteOrder(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
