/** The endpoints of the login, and its OpenID discovery document. */

export const paths = {
  authorize: "/authorize",
  device: "/device",
  deviceAuthorization: "/device_authorization",
  token: "/token",
  revoke: "/revoke",
  endSession: "/end_session",
} as const;

export const discovery = "/.well-known/openid-configuration";

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
/**
 * The `prompt` with which the browser is redirected back at once, whether or not somebody is logged in (OpenID
 * Connect).
 */
export const silently = "none";
export const scopes = ["openid", "offline_access"];

/** The clients that may start a login, each with the pattern of its redirect addresses. */
export const clients: ReadonlyMap<string, RegExp> = new Map([
  ["slipway-cli", /^http:\/\/(127\.0\.0\.1|localhost):8400\/callback$/],
  // The API serves the reference and the console, on any port.
  ["slipway-docs", /^http:\/\/(127\.0\.0\.1|localhost):\d+\/docs$/],
  ["slipway-console", /^http:\/\/(127\.0\.0\.1|localhost):\d+\/$/],
]);

export const loginMetadata = (url: string) => ({
  authorization_endpoint: `${url}${paths.authorize}`,
  token_endpoint: `${url}${paths.token}`,
  device_authorization_endpoint: `${url}${paths.deviceAuthorization}`,
  revocation_endpoint: `${url}${paths.revoke}`,
  end_session_endpoint: `${url}${paths.endSession}`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", deviceGrant, "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  scopes_supported: scopes,
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  authorization_response_iss_parameter_supported: true,
});
