import * as z from "zod";
import { MAX_NAME_CHARACTERS } from "../validation/field-limits";
import { isSecretName, SECRET_NAME_HINT } from "../workspace-secrets/secret-name";
import { MAX_PATH_PATTERN_CHARACTERS, MAX_PATH_PATTERNS } from "./connectors/path-patterns";

/** Longest address of a source. */
const MAX_URL_CHARACTERS = 2_000;
const MAX_PATH_CHARACTERS = 1_000;
/** Shortest time between syncs. */
export const MIN_SCHEDULE_MINUTES = 5;
const MAX_SCHEDULE_MINUTES = 525_600;
const MAX_SITE_DEPTH = 20;
const MAX_SITE_PAGES = 10_000;
const MAX_SITE_DELAY_MS = 60_000;

const url = z.string().max(MAX_URL_CHARACTERS).refine(isPlainUrl, {
	error:
		"must be an address such as https://docs.example.com/guide, without a name and password; name a secret as `credential`",
});

function isPlainUrl(text: string): boolean {
	const parsed = URL.parse(text);
	return (
		parsed !== null && /^https?:$/.test(parsed.protocol) && `${parsed.username}${parsed.password}` === ""
	);
}

const patterns = z
	.array(z.string().min(1).max(MAX_PATH_PATTERN_CHARACTERS))
	.max(MAX_PATH_PATTERNS)
	.exactOptional();
const filter = { include: patterns, exclude: patterns };
const text = z.string().min(1).max(MAX_PATH_CHARACTERS);

/** Settings of a source, by its kind. */
const settings = z.discriminatedUnion(
	"kind",
	[
		z.strictObject({ kind: z.literal("url"), url }),
		z.strictObject({
			...{ kind: z.literal("site"), url, ...filter },
			max_depth: z.int().min(0).max(MAX_SITE_DEPTH).exactOptional(),
			max_pages: z.int().min(1).max(MAX_SITE_PAGES).exactOptional(),
			delay_ms: z.int().min(0).max(MAX_SITE_DELAY_MS).exactOptional(),
		}),
		z.strictObject({
			...{ kind: z.literal("git"), url, ...filter },
			...{ ref: text.exactOptional(), path: text.exactOptional(), archive_url: url.exactOptional() },
			host: z.enum(["github", "gitlab", "gitea", "bitbucket"]).exactOptional(),
		}),
		z.strictObject({
			...{ kind: z.literal("s3"), bucket: text, ...filter },
			...{ prefix: text.exactOptional(), region: text.exactOptional(), endpoint: url.exactOptional() },
			virtual_host: z.boolean().exactOptional(),
		}),
		z.strictObject({ kind: z.literal("folder"), path: text, ...filter }),
	],
	{ error: 'must have a `kind`: "url", "site", "git", "s3" or "folder"' },
);

const name = z.string().trim().min(1).max(MAX_NAME_CHARACTERS);
const credential = z.string().refine(isSecretName, { error: `is no name of a secret. ${SECRET_NAME_HINT}` });
const fields = {
	name: name.exactOptional(),
	credential: credential.nullable().exactOptional(),
	every_minutes: z.int().min(MIN_SCHEDULE_MINUTES).max(MAX_SCHEDULE_MINUTES).nullable().exactOptional(),
};

/** Body that creates a source. */
export const sourceCreateSchema = z.strictObject({ settings, ...fields });
/** Body that updates a source. */
export const sourceUpdateSchema = z.strictObject({ settings: settings.exactOptional(), ...fields });
