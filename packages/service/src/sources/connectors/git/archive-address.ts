import type { GitSourceSettings } from "@stemma/client";
import { SourceError } from "../../source-error";

/** Software of a host of repositories. */
export type GitHost = NonNullable<GitSourceSettings["host"]>;

/** Archive of a repository, as its host offers it. */
export interface GitArchive {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Address at which a person sees a file of the repository; `null` where the host is not known. */
	toWebAddress(path: string): string | null;
}

/** Repository by its address. */
export interface Repository {
	readonly host: GitHost | undefined;
	/** Address of the repository, without `.git`. */
	readonly url: URL;
	/** Path of the repository: `owner/name`, at GitLab with more groups before. */
	readonly path: string;
}

const HOSTS: Readonly<Record<string, GitHost | undefined>> = {
	"github.com": "github",
	"gitlab.com": "gitlab",
	"bitbucket.org": "bitbucket",
	"codeberg.org": "gitea",
	"gitea.com": "gitea",
};
const HOST_BY_NAME = /^(github|gitlab|gitea|forgejo)\./u;

/** @throws SourceError `invalid_url` */
export function parseRepository({ url: text, host }: Pick<GitSourceSettings, "url" | "host">): Repository {
	const url = URL.parse(text);
	const path = url?.pathname.replace(/^\/+|\/+$/gu, "").replace(/\.git$/u, "") ?? "";
	if (url === null || !/^https?:$/u.test(url.protocol) || !/^[^/]+(?:\/[^/]+)+$/u.test(path))
		throw new SourceError("The address of the source is no address of a repository.", {
			code: "invalid_url",
			hint: "Write `url` as https://github.com/owner/name.",
		});
	const { hostname, origin } = url;
	const [, name] = HOST_BY_NAME.exec(hostname) ?? [];
	const byName = name === "forgejo" ? "gitea" : (name as Exclude<typeof name, "forgejo"> & GitHost);
	return { host: host ?? HOSTS[hostname] ?? byName, url: new URL(`/${path}`, origin), path };
}

/** Origin that gets the secret of a source. */
export function toCredentialOrigin(settings: GitSourceSettings): string {
	if (settings.archive_url !== undefined)
		return new URL(settings.archive_url.replaceAll("{ref}", "HEAD")).origin;
	const { host, url } = parseRepository(settings);
	return host === "github" && url.hostname === "github.com" ? GITHUB_API : url.origin;
}

const GITHUB_API = "https://api.github.com";

/**
 * Archive of a ref by the addresses that the hosts document.
 *
 * @param credential - access token; at Bitbucket also `<user>:<app password>`.
 * @throws SourceError `unknown_host`
 */
export function resolveArchive(
	settings: GitSourceSettings,
	ref: string,
	credential: string | undefined,
): GitArchive {
	const repository = parseRepository(settings);
	const { host } = repository;
	const toWebAddress = (path: string): string | null =>
		host === undefined ? null : WEB_ADDRESSES[host](repository, encodePath(ref), encodePath(path));
	if (settings.archive_url !== undefined)
		return {
			url: settings.archive_url.replaceAll("{ref}", encodePath(ref)),
			headers: toHeaders(host, credential),
			toWebAddress,
		};
	if (host === undefined)
		throw new SourceError(
			`It is not known by which software ${repository.url.hostname} offers repositories.`,
			{
				code: "unknown_host",
				hint: "Set `host` to github, gitlab, gitea (also for Forgejo) or bitbucket, or set `archive_url`.",
			},
		);
	const url = ARCHIVES[host](repository, encodePath(ref), credential !== undefined);
	return { url, headers: toHeaders(host, credential), toWebAddress };
}

const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

function toHeaders(
	host: GitHost | undefined,
	credential: string | undefined,
): Readonly<Record<string, string>> {
	if (credential === undefined) return {};
	if (credential.includes(":"))
		return { authorization: `Basic ${Buffer.from(credential).toString("base64")}` };
	return { authorization: host === "gitea" ? `token ${credential}` : `Bearer ${credential}` };
}

type ToArchive = (repository: Repository, ref: string, hasCredential: boolean) => string;

const ARCHIVES: Readonly<Record<GitHost, ToArchive>> = {
	// The API counts requests without a token; the address that people click does not, but takes no token.
	github: ({ url, path }, ref, hasCredential) => {
		if (url.hostname !== "github.com") return `${url.origin}/api/v3/repos/${path}/tarball/${ref}`;
		return hasCredential ? `${GITHUB_API}/repos/${path}/tarball/${ref}` : `${url.href}/archive/${ref}.tar.gz`;
	},
	gitlab: ({ url, path }, ref) =>
		`${url.origin}/api/v4/projects/${encodeURIComponent(path)}/repository/archive.tar.gz?sha=${encodeURIComponent(decodeURIComponent(ref))}`,
	gitea: ({ url, path }, ref) => `${url.origin}/api/v1/repos/${path}/archive/${ref}.tar.gz`,
	bitbucket: ({ url }, ref) => `${url.href}/get/${ref}.tar.gz`,
};

type ToWeb = (repository: Repository, ref: string, path: string) => string;
const COMMIT = /^[\da-f]{40}$/u;

const WEB_ADDRESSES: Readonly<Record<GitHost, ToWeb>> = {
	github: ({ url }, ref, path) => `${url.href}/blob/${ref}/${path}`,
	gitlab: ({ url }, ref, path) => `${url.href}/-/blob/${ref}/${path}`,
	gitea: ({ url }, ref, path) => `${url.href}/src/${COMMIT.test(ref) ? "commit" : "branch"}/${ref}/${path}`,
	bitbucket: ({ url }, ref, path) => `${url.href}/src/${ref}/${path}`,
};
