/**
 * A receiver's check of a delivery, written from the text of Standard Webhooks 1.0 on Web Crypto
 * alone, so that nothing of the sender's is in it.
 */
export async function verified(
  { headers, body }: { headers: Record<string, string>; body: string },
  secret: string,
  now: number,
): Promise<boolean> {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false;
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (char) => char.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  const data = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of (headers["webhook-signature"] ?? "").split(" ")) {
    const [version, text = ""] = each.split(",");
    if (version !== "v1") continue;
    const signature = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    if (await crypto.subtle.verify("HMAC", key, signature, data)) return true;
  }
  return false;
}
