export interface Urls {
  api: string;
  console: string;
  sim: string;
  stepfunctions: string;
  issuer: string;
}

/**
 * The shell variables that the documents' commands use. `auth` and `admin` are whole HTTP headers: of tenant-a's
 * administrator, and of the provider's.
 */
export function envSh(urls: Urls, tokens: Record<string, string>): string {
  const variables = {
    api: `${urls.api}/api/fulfillment/v1`,
    private: `${urls.api}/api/private/v1`,
    events: `${urls.api}/api/events/v1/events`,
    auth: `authorization: Bearer ${tokens["tenant-a"]}`,
    admin: `authorization: Bearer ${tokens.admin}`,
    sim: urls.sim,
    stepfunctions: urls.stepfunctions,
    issuer: urls.issuer,
  };
  return [
    "# Written by npm run dev, for the commands that the documents show.",
    // URLs and tokens contain no quotes.
    ...Object.entries(variables).map(([name, value]) => `${name}='${value}'`),
    "# A member of the JSON that is piped in, such as: get metadata.name",
    `get() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }`,
    "",
  ].join("\n");
}
