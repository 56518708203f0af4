/** Calls inside a region answer within milliseconds, or not at all. */
export const client = {
  requestHandler: { connectionTimeout: 1000, requestTimeout: 5000 },
  maxAttempts: 4,
};
