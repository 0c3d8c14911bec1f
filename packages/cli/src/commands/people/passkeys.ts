import type { Passkey } from "@stemma/client";
import { FULL_PAGES, listAll } from "../../connection/list-all";
import type { ServiceCommandOptions } from "../../connection/with-service";
import { findPerson } from "../../people/find-person";
import { print, printTable } from "../../terminal/print";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { listAllMembers, withPeople } from "./members";

const toDay = (time: string | null): string => (time === null ? "never" : time.slice(0, 10));

/** Lists the passkeys of a member. */
export async function listPasskeys(
	terminal: Terminal,
	idOrEmail: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const passkeys = await withPeople(options, async (stemma) => {
		const { id } = findPerson(idOrEmail, await listAllMembers(stemma));
		return listAll(stemma.session.passkeys.list({ ...FULL_PAGES, user_id: id }));
	});
	printTable<Passkey>(terminal, options, passkeys, {
		header: ["ID", "NAME", "ADDED", "LAST USED"],
		toCells: ({ id, name, created_at, last_used_at }) => [
			...[id, sanitizeLine(name), toDay(created_at), toDay(last_used_at)],
		],
		empty: "This member has no passkey.",
	});
}

/** Removes a passkey, which signs nobody in any more. */
export async function removePasskey(
	terminal: Terminal,
	id: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const deleted = await withPeople(options, ({ session }) => session.passkeys.delete(id));
	print(terminal, options, deleted, () => `Removed the passkey ${deleted.id}.\n`);
}
