import type { Invitation, Member, Role, Stemma } from "@stemma/client";
import { FULL_PAGES, listAll } from "../../connection/list-all";
import { withHints } from "../../connection/with-hints";
import {
	type ConnectionOptions,
	type ServiceCommandOptions,
	withService,
} from "../../connection/with-service";
import { findPerson, type People } from "../../people/find-person";
import { print, printTable, report } from "../../terminal/print";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";

/** Options of `stemma members invite`. */
export interface InviteOptions extends ServiceCommandOptions {
	readonly role: Role;
}

/** Hints for the command line, by the code of the service's error. */
const HINTS: Readonly<Record<string, string>> = {
	missing_scope:
		"Use a client with the scope keys:write and all scopes of the role. The owner of the data folder can create one with: stemma clients create --data <folder> --scopes all",
	last_admin: "Make another member an admin first: stemma members role <member> admin",
};

/** Performs a piece of work with the people of a workspace, with hints for the command line. */
export const withPeople = <Result>(
	options: ConnectionOptions,
	work: (stemma: Stemma) => Promise<Result>,
): Promise<Result> => withService(options, (stemma) => withHints(HINTS, () => work(stemma)));

/** Members by their state: one who was removed can still be exported and deleted. */
export const listAllMembers = async ({ members }: Stemma): Promise<People> => ({
	members: [
		...(await listAll(members.list(FULL_PAGES))),
		...(await listAll(members.list({ ...FULL_PAGES, status: "removed" }))),
	],
	invitations: [],
});

const listPeople = async ({ members, invitations }: Stemma): Promise<People> => ({
	members: await listAll(members.list(FULL_PAGES)),
	invitations: await listAll(invitations.list(FULL_PAGES)),
});

export async function listMembers(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const { members, invitations } = await withPeople(options, listPeople);
	printTable<Member | Invitation>(terminal, options, [...members, ...invitations], {
		header: ["ID", "E-MAIL", "NAME", "ROLE", "STATUS"],
		toCells: (person) => [person.id, person.email, ...toCells(person)],
		empty: 'There is nobody yet: "stemma members invite <e-mail>".',
	});
}

const toCells = (person: Member | Invitation): readonly string[] =>
	"status" in person
		? [sanitizeLine(person.name), person.role, person.status]
		: ["", person.role, `invited until ${person.expires_at.slice(0, 10)}`];

export async function inviteMember(terminal: Terminal, email: string, options: InviteOptions): Promise<void> {
	const invitation = await withPeople(options, ({ invitations }) =>
		invitations.create({ email, role: options.role }),
	);
	print(terminal, options, invitation, () => `${invitation.link}\n`);
	const until = invitation.expires_at.slice(0, 10);
	report(
		terminal,
		"note",
		`Send the link to ${sanitizeLine(invitation.email)} alone: whoever opens it signs in as them. It works once, until ${until}.`,
	);
}

export async function changeRole(
	terminal: Terminal,
	[idOrEmail, role]: readonly [idOrEmail: string, role: Role],
	options: ServiceCommandOptions,
): Promise<void> {
	const updated = await withPeople(options, async (stemma) => {
		const { id } = findPerson(idOrEmail, { ...(await listPeople(stemma)), invitations: [] });
		return stemma.members.update(id, { role });
	});
	print(terminal, options, updated, () => `${updated.email} is ${updated.role} now.\n`);
}

export async function removeMember(
	terminal: Terminal,
	idOrEmail: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const [person, deleted] = await withPeople(options, async (stemma) => {
		const found = findPerson(idOrEmail, await listPeople(stemma));
		const { delete: remove } = "status" in found ? stemma.members : stemma.invitations;
		return [found, await remove(found.id)];
	});
	const what = "status" in person ? "Removed" : "Revoked the invitation of";
	print(terminal, options, deleted, () => `${what} ${person.email} (${person.id}).\n`);
}

/** Prints what the workspace has about a member: lines of JSON, each a part of it. */
export async function exportMember(
	terminal: Terminal,
	idOrEmail: string,
	options: ServiceCommandOptions,
): Promise<void> {
	await withPeople(options, async (stemma) => {
		const { id } = findPerson(idOrEmail, await listAllMembers(stemma));
		for await (const data of stemma.members.export(id)) terminal.stdout.write(`${JSON.stringify(data)}\n`);
	});
}

export async function deleteMember(
	terminal: Terminal,
	idOrEmail: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const [person, deleted] = await withPeople(options, async (stemma) => {
		const found = findPerson(idOrEmail, await listAllMembers(stemma));
		return [found, await stemma.members.erase(found.id)] as const;
	});
	print(terminal, options, deleted, () => `Deleted ${person.email} (${person.id}) with all of their data.\n`);
}
