import { createRegister, type Register } from "./register.ts";

/** What was asked of the settings of all workspaces, and what was acknowledged. */
export interface SettingsLedger {
	readonly workspaces: readonly WorkspaceLedger[];
	/** In every key and every secret, and nowhere else. */
	readonly marker: string;
	/** Questions by their numbers, for whoever is asked them. */
	readonly questions: Map<number, Question>;
	readonly tally: Tally;
	/** A number that no settings, secret and question had before. */
	newSerial(): number;
}

export interface WorkspaceLedger {
	readonly number: number;
	readonly token: string;
	/** Settings are only ever replaced: the deployment's vendor must not hear of this workspace. */
	readonly keepsSettings: boolean;
	readonly settings: Register<StoredSettings | undefined>;
	/** The address that each is for, by name; undefined where there is none. */
	readonly secrets: ReadonlyMap<string, Register<string | undefined>>;
}

export interface StoredSettings {
	/** Address, model and key have it. */
	readonly serial: number;
	/** The model may be replaced alone. */
	readonly revision: number;
	/** Undefined until an answer tells. */
	hasKey?: boolean;
}

export interface Question {
	readonly workspace: number;
	/** The workspace may have had no settings for a moment. */
	mayUseDeployment: boolean;
}

const COUNTED = [
	"puts",
	"renames",
	"refusals",
	"clears",
	"reads",
	"tests",
	"ownAnswers",
	"hostAnswers",
	"secretPuts",
	"secretDeletes",
	"secretLists",
	"rotations",
	"cutRotations",
	"straddlingRotations",
	"resealed",
	"droppedKeys",
	"starts",
	"waits",
	"cutStarts",
] as const;

/** How often things were done, and came to their end. */
export type Tally = Record<(typeof COUNTED)[number], number>;

/** Secrets that are put and deleted all the time. */
export const CHANGING_SECRETS = ["crm", "mail", "search", "tickets", "wiki"] as const;
/** Secrets that are put once: of these, only a rotation changes anything. */
export const STABLE_SECRETS = Array.from({ length: 10 }, (_, number) => `archive-${number}`);

/** @param tokens - one for each workspace; every second one is steady. */
export function createSettingsLedger(tokens: readonly string[], marker: string): SettingsLedger {
	let serials = 0;
	return {
		marker,
		questions: new Map(),
		tally: Object.fromEntries(COUNTED.map((name) => [name, 0])) as Tally,
		workspaces: tokens.map((token, number) => ({
			number,
			token,
			keepsSettings: number % 2 === 0,
			settings: createRegister<StoredSettings | undefined>(undefined),
			secrets: new Map(
				[...CHANGING_SECRETS, ...STABLE_SECRETS].map((name) => [
					name,
					createRegister<string | undefined>(undefined),
				]),
			),
		})),
		newSerial() {
			serials += 1;
			return serials;
		},
	};
}

export const toModel = (workspace: number, { serial, revision }: StoredSettings): string =>
	`model-${workspace}-${serial}-${revision}`;

/** The key of a serial. */
export const toKey = (marker: string, serial: number): string => `sk-${marker}-${serial}`;
