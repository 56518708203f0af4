/** The ARNs of a saga's state machine (or its alias) and of its executions. */
export interface Arns {
  stateMachine: (saga: string) => string;
  execution: (saga: string, name: string) => string;
}
