import { resolve } from "node:path";
import type { Role } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { readDataFolder } from "../../connection/data-folder";
import { toDefaultFolder } from "../../connection/with-service";
import { type JsonOption, print, report } from "../../terminal/print";
import type { Terminal } from "../../terminal/terminal";
import { readPlace } from "../data/data-configuration";

/** Options of `stemma login-link`. */
export interface LoginLinkCommandOptions extends JsonOption {
	readonly data?: string;
	readonly email?: string;
	readonly role?: Role;
	readonly workspace?: string;
	readonly url?: string;
	readonly operator?: boolean;
}

/** Prints a link that signs a person in, for whoever owns the data folder. */
export async function loginLink(
	terminal: Terminal,
	{
		data = toDefaultFolder(process.env),
		email,
		role,
		workspace,
		url,
		operator,
		json,
	}: LoginLinkCommandOptions,
): Promise<void> {
	const folder = await readDataFolder(data);
	const address = url ?? folder.url;
	if (address === undefined)
		throw new ConfigurationError(`No service runs on ${resolve(data)}, so that the link has no address.`, {
			hint: "Start it with: stemma serve. Or name the address at which people reach it with --url.",
		});
	if (!/^https?:/.test(address) || !URL.canParse(address))
		throw new ConfigurationError("The option --url is not an address.", {
			hint: "Give one such as https://stemma.example.",
		});
	const { createLoginLink } = await import("@stemma/service");
	const created = await createLoginLink(await readPlace(data), {
		email,
		role,
		workspace,
		operator,
		url: address,
	});
	print(terminal, { json }, created, () => `${created.link}\n`);
	report(terminal, "note", "The link signs in whoever opens it, once, within 15 minutes.");
}
