/** The rights to report on the hubs' bus; reports by the API need none of them. */

/** The tag of an agent's role that has its hub's id. */
export const hubTag = "slipway-hub";

/**
 * The policy of the bus, whatever the number of hubs: a role of these accounts can report only as the
 * hub in its tag, whatever else IAM allows. An agent that reports by HTTPS needs no role: the API,
 * whose own role has no tag, has checked its token.
 */
export function reportsPolicy<Arn>(accounts: readonly string[], bus: Arn) {
  const own = { "events:source": `slipway.hub.\${aws:PrincipalTag/${hubTag}}` };
  const tagged = { [`aws:PrincipalTag/${hubTag}`]: "false" };
  const on = { Principal: { AWS: accounts }, Action: "events:PutEvents", Resource: bus };
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "SpeakAsOwnHub",
        Effect: "Allow",
        ...on,
        // `ForAllValues` is also true for a request without a source.
        Condition: {
          "ForAllValues:StringEquals": own,
          Null: { "events:source": "false", ...tagged },
        },
      },
      {
        Sid: "AsNoOther",
        Effect: "Deny",
        ...on,
        Condition: {
          "ForAnyValue:StringNotEquals": own,
          Null: tagged,
        },
      },
    ],
  };
}
