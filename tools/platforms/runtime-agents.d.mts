/** What requests to the runtime bring. */
export const TOKEN: string;
