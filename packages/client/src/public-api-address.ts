/** Default address for clients that are given none; set in a build that is published for one service. */
export const PUBLIC_API_ADDRESS: string | undefined = undefined;
