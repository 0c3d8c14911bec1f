/** Names of methods for which a call is written. */
export const calledMethods: readonly string[];

/** Names of the methods of a client that servers and pages call, such as `ask.stream`. */
export function listMethods(client: object): string[];
