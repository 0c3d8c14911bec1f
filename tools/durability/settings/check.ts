import { type Api, UnexpectedResponseError } from "../service/api.ts";
import type { SettingsLedger, StoredSettings, WorkspaceLedger } from "./ledger.ts";

/** Where to look, and what is known of it. */
export interface SettingsContext {
	readonly api: Api;
	readonly ledger: SettingsLedger;
	readonly workspace: WorkspaceLedger;
}

interface ReadSettings {
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	readonly has_api_key: boolean;
	readonly status: string;
}

/** Nothing is set. */
interface UnsetSettings {
	readonly provider: null;
}

interface ReadSecret {
	readonly name: string;
	readonly server_url: string;
	readonly status: string;
}

/**
 * The settings as they are read.
 *
 * @throws UnexpectedResponseError where they are not whole, cannot be opened, show a key, or are none that may be there.
 */
export async function readSettings({
	api,
	ledger,
	workspace,
}: SettingsContext): Promise<StoredSettings | undefined> {
	const finish = workspace.settings.read();
	const { status, text } = await api.ask("GET", "/v1/workspace/llm-settings");
	const readable = finish();
	if (status !== 200) throw new UnexpectedResponseError(text);
	if (text.includes(ledger.marker)) throw new UnexpectedResponseError("A key is shown.");
	const read = JSON.parse(text) as ReadSettings | UnsetSettings;
	const found = read.provider === null ? undefined : parseSettings(read, workspace.number);
	if (!readable.some((settings) => isSame(settings, found)))
		throw new UnexpectedResponseError(`${workspace.number}: ${text}: none of ${JSON.stringify(readable)}`);
	return found;
}

function parseSettings(read: ReadSettings, workspace: number): StoredSettings {
	const { provider, base_url, model, has_api_key: hasKey, status } = read;
	const [, serial, revision] = new RegExp(`^model-${workspace}-(\\d+)-(\\d+)$`).exec(model) ?? [];
	const isWhole = provider === "openai-compatible" && base_url.endsWith(`/${workspace}/${serial}/v1`);
	if (!isWhole || status !== "ok") throw new UnexpectedResponseError(JSON.stringify(read));
	return { serial: Number(serial), revision: Number(revision), hasKey };
}

const isSame = (known: StoredSettings | undefined, found: StoredSettings | undefined): boolean =>
	known?.serial === found?.serial &&
	known?.revision === found?.revision &&
	(known?.hasKey ?? found?.hasKey) === found?.hasKey;

/**
 * The addresses of the secrets, by name.
 *
 * @throws UnexpectedResponseError as {@link readSettings}.
 */
export async function readSecrets({
	api,
	ledger,
	workspace,
}: SettingsContext): Promise<ReadonlyMap<string, string>> {
	const finishes = [...workspace.secrets].map(([name, register]) => [name, register.read()] as const);
	const { status, text } = await api.ask("GET", "/v1/workspace/secrets?limit=100");
	const readable = finishes.map(([name, finish]) => [name, finish()] as const);
	if (status !== 200 || text.includes(ledger.marker))
		throw new UnexpectedResponseError(`${status}: a list of secrets`);
	const { data } = JSON.parse(text) as { readonly data: readonly ReadSecret[] };
	if (data.some((secret) => secret.status !== "ok")) throw new UnexpectedResponseError(text);
	const found = new Map(data.map(({ name, server_url }) => [name, server_url]));
	for (const [name, addresses] of readable)
		if (!addresses.includes(found.get(name)))
			throw new UnexpectedResponseError(
				`${workspace.number}: ${name} of ${text}: none of ${addresses.join(", ")}`,
			);
	return found;
}

/** Nobody writes: what is found now stays so. */
export async function checkSettledWorkspace(context: SettingsContext): Promise<void> {
	const { settings, secrets } = context.workspace;
	settings.settle(await readSettings(context));
	const addresses = await readSecrets(context);
	for (const [name, register] of secrets) register.settle(addresses.get(name));
}

/** The address of a secret. */
export const toSecretUrl = (serial: number): string => `http://127.0.0.1:9/${serial}`;
