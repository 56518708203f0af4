/** One value of ASN.1 in DER. */
export interface Der {
  /** With its tag and length. */
  bytes: Buffer;
  content: Buffer;
  /** Of a value that is made of others; empty for all others. */
  children: Der[];
}

const constructed = 0x20;

/** The value that the bytes are, all of them. Throws when they are none. */
export function derOf(bytes: Buffer): Der {
  const [value, ...rest] = valuesIn(bytes, 0);
  if (!value || rest.length > 0) throw new Error("not one value");
  return value;
}

function valuesIn(bytes: Buffer, depth: number): Der[] {
  if (depth > 16) throw new Error("too deep");
  const values: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const short = bytes.readUInt8(at + 1);
    const more = short < 0x80 ? 0 : short - 0x80;
    const length = more === 0 ? short : bytes.readUIntBE(at + 2, more);
    const [start, end] = [at + 2 + more, at + 2 + more + length];
    if (end > bytes.length) throw new Error("cut off");
    const content = bytes.subarray(start, end);
    const children = (tag & constructed) === 0 ? [] : valuesIn(content, depth + 1);
    values.push({ bytes: bytes.subarray(at, end), content, children });
    at = end;
  }
  return values;
}
