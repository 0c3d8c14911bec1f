/** Where clients go that are given no address: a build that is published for one service puts it here. */
export const PUBLIC_API_ADDRESS: string | undefined = undefined;
