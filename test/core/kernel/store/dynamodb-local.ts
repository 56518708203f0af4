/** What DynamoDB Local does otherwise than DynamoDB, by the names of the tests that find it out. */
const lacks: Record<string, string> = {
  "says that a condition failed rather than that the write is wrong":
    "looks at the write before the condition",
  "does to random writes what a map does": "looks at writes before conditions",
};

/** Why DynamoDB Local cannot pass a test; undefined for another server, and for what it can. */
export async function dynamodbLocalLacks(
  endpoint: string,
  test: string,
): Promise<string | undefined> {
  const reason = lacks[test];
  return reason !== undefined && (await isLocal(endpoint)) ? `DynamoDB Local ${reason}` : undefined;
}

/** AWS says of itself that it is `Server`. */
async function isLocal(endpoint: string): Promise<boolean> {
  const { headers } = await fetch(endpoint);
  return headers.get("server")?.startsWith("Jetty") ?? false;
}
