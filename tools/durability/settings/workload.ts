import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";
import { NoResponseError, UnexpectedResponseError } from "../service/api.ts";
import { readSecrets, readSettings, type SettingsContext, toSecretUrl } from "./check.ts";
import {
	CHANGING_SECRETS,
	STABLE_SECRETS,
	type StoredSettings,
	toKey,
	toModel,
	type WorkspaceLedger,
} from "./ledger.ts";
import { type SettingsVendor, toQuestion } from "./vendor.ts";

/** What one client needs. */
export interface SettingsWorkload extends SettingsContext {
	readonly vendor: Pick<SettingsVendor, "toBaseUrl">;
	readonly random: Random;
	readonly signal: AbortSignal;
	/** Called after each thing that was done. */
	readonly onDone: () => void;
}

type Task = (work: SettingsWorkload) => Promise<void>;

const SETTINGS = "/v1/workspace/llm-settings";
const SECRETS = "/v1/workspace/secrets";

/** Does one thing after another until the service is gone. */
export async function runSettingsWorkload(work: SettingsWorkload): Promise<void> {
	const tasks = work.workspace.keepsSettings ? TASKS : [...TASKS, ...CLEARING_TASKS];
	try {
		while (!work.signal.aborted) {
			await (work.random.pick(tasks) ?? putSettings)(work);
			work.onDone();
			await wait(work.random.between(0, 20));
		}
	} catch (error) {
		if (!(error instanceof NoResponseError)) throw error;
	}
}

const putSettings: Task = (work) => putWhole(work, true);
const putKeyless: Task = (work) => putWhole(work, false);

/** Address, model and key, all with a serial of their own. */
async function putWhole(
	{ api, ledger, workspace, vendor }: SettingsWorkload,
	hasKey: boolean,
): Promise<void> {
	const { number, settings } = workspace;
	const stored = { serial: ledger.newSerial(), revision: 0, hasKey };
	const write = settings.write(stored);
	const { status, text } = await api.ask("PUT", SETTINGS, {
		provider: "openai-compatible",
		base_url: vendor.toBaseUrl(number, stored.serial),
		model: toModel(number, stored),
		api_key: hasKey ? toKey(ledger.marker, stored.serial) : null,
	});
	if (status !== 200) throw new UnexpectedResponseError(text);
	write.acknowledge();
	ledger.tally.puts += 1;
}

/** Another model of an address that was read; the key that is stored goes along, or nothing happens. */
async function renameModel(work: SettingsWorkload): Promise<void> {
	const { api, ledger, workspace, vendor } = work;
	const read = await readSettings(work);
	if (read === undefined) return;
	const renamed: StoredSettings = { serial: read.serial, revision: ledger.newSerial() };
	const write = workspace.settings.write(renamed);
	const { status, text } = await api.ask("PUT", SETTINGS, {
		provider: "openai-compatible",
		base_url: vendor.toBaseUrl(workspace.number, renamed.serial),
		model: toModel(workspace.number, renamed),
	});
	if (status === 422 && text.includes('"api_key_required"')) {
		write.withdraw();
		ledger.tally.refusals += 1;
		return;
	}
	if (status !== 200) throw new UnexpectedResponseError(text);
	renamed.hasKey = (JSON.parse(text) as { readonly has_api_key: boolean }).has_api_key;
	if (workspace.keepsSettings && !renamed.hasKey)
		throw new UnexpectedResponseError(`A key was lost: ${text}`);
	write.acknowledge();
	ledger.tally.renames += 1;
}

async function clearSettings({ api, ledger, workspace }: SettingsWorkload): Promise<void> {
	const write = workspace.settings.write(undefined);
	await api.delete(SETTINGS);
	write.acknowledge();
	ledger.tally.clears += 1;
}

async function getSettings(work: SettingsWorkload): Promise<void> {
	await readSettings(work);
	work.ledger.tally.reads += 1;
}

interface Tested {
	readonly ok: boolean;
	readonly model: string;
}

/** A real call of what is stored. */
async function testSettings({ api, ledger, workspace }: SettingsWorkload): Promise<void> {
	const finish = workspace.settings.read();
	const { status, text } = await api.ask("POST", `${SETTINGS}/test`, {});
	if (status === 429) return;
	const { ok, model } = (status === 200 ? JSON.parse(text) : {}) as Partial<Tested>;
	const isUnset = status === 422 && text.includes('"not_set"');
	assertModel(workspace, finish(), isUnset ? undefined : model, text);
	if (isUnset) return;
	if (ok !== true) throw new UnexpectedResponseError(text);
	ledger.tally.tests += 1;
}

interface Completion {
	readonly model: string;
	readonly stemma: { readonly receipt: readonly { readonly payer: string }[] };
}

/** A question of whoever the settings name; where there are none, of the deployment's vendor. */
async function askModel({ api, ledger, workspace }: SettingsWorkload): Promise<void> {
	const serial = ledger.newSerial();
	const question = { workspace: workspace.number, mayUseDeployment: !workspace.keepsSettings };
	ledger.questions.set(serial, question);
	const finish = workspace.settings.read();
	try {
		const messages = [{ role: "user", content: toQuestion(serial) }];
		const { model, stemma } = await api.post<Completion>("/v1/chat/completions", {
			model: "default",
			messages,
		});
		const isOwn = stemma.receipt.every(({ payer }) => payer === "workspace");
		assertModel(workspace, finish(), isOwn ? model : undefined, JSON.stringify({ model, stemma }));
		ledger.tally[isOwn ? "ownAnswers" : "hostAnswers"] += 1;
	} finally {
		question.mayUseDeployment = finish().includes(undefined);
	}
}

/** A call went to settings that were there, or to none where there were none. */
function assertModel(
	{ number }: WorkspaceLedger,
	readable: readonly (StoredSettings | undefined)[],
	model: string | undefined,
	message: string,
): void {
	const models = readable.map((settings) => settings && toModel(number, settings));
	if (!models.includes(model))
		throw new UnexpectedResponseError(`${message}: none of ${JSON.stringify(models)}`);
}

/** Puts the secrets that nobody changes later. */
export async function createStableSecrets(context: SettingsContext): Promise<void> {
	for (const name of STABLE_SECRETS) await putSecretOf(context, name);
}

const pickSecret = ({ random }: SettingsWorkload): string =>
	random.pick(CHANGING_SECRETS) ?? CHANGING_SECRETS[0];

const putSecret: Task = (work) => putSecretOf(work, pickSecret(work));

async function putSecretOf({ api, ledger, workspace }: SettingsContext, name: string): Promise<void> {
	const serial = ledger.newSerial();
	const server_url = toSecretUrl(serial);
	const write = workspace.secrets.get(name)?.write(server_url);
	await api.put(`${SECRETS}/${name}`, { server_url, value: toKey(ledger.marker, serial) });
	write?.acknowledge();
	ledger.tally.secretPuts += 1;
}

async function deleteSecret(work: SettingsWorkload): Promise<void> {
	const name = pickSecret(work);
	const write = work.workspace.secrets.get(name)?.write(undefined);
	const { status, text } = await work.api.ask("DELETE", `${SECRETS}/${name}`);
	if (status !== 200 && status !== 404) throw new UnexpectedResponseError(text);
	write?.acknowledge();
	if (status === 200) work.ledger.tally.secretDeletes += 1;
}

async function listSecrets(work: SettingsWorkload): Promise<void> {
	await readSecrets(work);
	work.ledger.tally.secretLists += 1;
}

/** By how often they are done. */
const TASKS: readonly Task[] = [
	...[putSettings, putSettings, putSettings, putSettings],
	...[renameModel, renameModel],
	...[getSettings, getSettings],
	...[testSettings],
	...[askModel, askModel, askModel],
	...[putSecret, putSecret, putSecret],
	...[deleteSecret],
	...[listSecrets],
];
const CLEARING_TASKS: readonly Task[] = [clearSettings, clearSettings, putKeyless];
