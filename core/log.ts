/** The log. Members are data, the message is constant text; nothing secret goes into either. */
export interface Log {
  info(members: Record<string, unknown>, message: string): void;
  warn(members: Record<string, unknown>, message: string): void;
  error(members: Record<string, unknown>, message: string): void;
}

export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
