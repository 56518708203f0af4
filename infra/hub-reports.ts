/** Who may report on the bus of hubs, beside the API. */

/** The tag of a role that says whose agent takes it: the id of a hub. */
export const hubTag = "slipway-hub";

/**
 * The policy of the bus, whatever the number of hubs: a role of these accounts speaks as the hub in its
 * tag and as no other, whatever IAM allows it. An agent that reports by HTTPS needs no role: the API,
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
        // `ForAllValues` holds of no source at all, too.
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
