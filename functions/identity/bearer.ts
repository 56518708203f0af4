/** The token of an `Authorization` header: `Bearer <token>`. Undefined without one. */
export function bearerIn(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
}
