import { useScope } from "../data/app-context";
import { EmptyState } from "../shell/empty-state";
import { toHref } from "../shell/route";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { AuditArea } from "./audit-area";
import { ClientArea } from "./client-area";
import { ClientKeyArea } from "./client-key-area";
import { SecretArea } from "./secret-area";
import { SessionArea } from "./session-area";
import "./settings.css";

const AREAS = {
	clients: ClientArea,
	keys: ClientKeyArea,
	secrets: SecretArea,
	sessions: SessionArea,
	audit: AuditArea,
} as const;
type Section = keyof typeof AREAS;

const isSection = (name: string): name is Section => Object.hasOwn(AREAS, name);

/** Page of the settings of a workspace, a part of it at a time. */
export function SettingsPage({ section = "clients" }: { readonly section: string | undefined }) {
	const words = ADMIN_STRINGS.settings;
	const mayReadSettings = useScope("settings:read");
	const Area = isSection(section) ? AREAS[section] : undefined;
	const sections = Object.keys(AREAS)
		.filter(isSection)
		.filter((name) => mayReadSettings || (name !== "audit" && name !== "secrets"));
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			<nav className="sections" aria-label={words.sections}>
				{sections.map((name) => (
					<a key={name} href={toHref("settings", name)} aria-current={name === section ? "page" : undefined}>
						{words.names[name]}
					</a>
				))}
			</nav>
			{Area === undefined ? <EmptyState title={words.unknown} /> : <Area key={section} />}
		</div>
	);
}
