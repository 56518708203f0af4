/** The log. The message is constant text and members are data; neither has secrets. */
export interface Log {
  info(members: Record<string, unknown>, message: string): void;
  warn(members: Record<string, unknown>, message: string): void;
  error(members: Record<string, unknown>, message: string): void;
}

export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
