/**
 * Names of executions: `arns` gives the state machine of a saga (or its alias) and its executions.
 */
export interface Arns {
  stateMachine: (saga: string) => string;
  execution: (saga: string, name: string) => string;
}
