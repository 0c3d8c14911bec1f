import type { StemmaParts } from "../data/stemma";
import { PAGE_SIZE } from "../data/use-list";

/** Names of members, those who were removed too, and of clients and client keys, by their ids. */
export type ActorNames = ReadonlyMap<string, string>;

/** Reads the names of those who acted; of larger workspaces, the first of each kind. */
export async function readActorNames(stemma: StemmaParts, signal: AbortSignal): Promise<ActorNames> {
	const page = { limit: PAGE_SIZE };
	const lists = await Promise.all([
		stemma.members.list(page, { signal }),
		stemma.members.list({ ...page, status: "removed" }, { signal }),
		stemma.apiClients.list(page, { signal }),
		stemma.clientKeys.list(page, { signal }),
	]);
	return new Map(lists.flatMap(({ data }) => data.map(({ id, name }) => [id, name] as const)));
}
