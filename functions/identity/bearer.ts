/** As a request brings it: `Bearer <token>`. Undefined for a request that brings none. */
export function bearerIn(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
}
