import { type KnowledgeBase, type Member, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatNumber } from "../data/format";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { ACCESS_STRINGS } from "../strings/access-strings";
import { STRINGS } from "../strings/strings";

const MAX_MEMBERS_SHOWN = 100;

interface AccessPanelProps {
	readonly base: KnowledgeBase;
	/** Called once the access has changed. */
	readonly onChange: () => void;
}

/** Members who may see a knowledge base. Admins choose them; others read how many there are. */
export function AccessPanel({ base, onChange }: AccessPanelProps) {
	const maySeeMembers = useScope("keys:write");
	return (
		<section className="panel" aria-label={ACCESS_STRINGS.title}>
			<h2>{ACCESS_STRINGS.title}</h2>
			{maySeeMembers ? <AccessForm base={base} onChange={onChange} /> : <AccessText base={base} />}
		</section>
	);
}

function AccessText({ base: { access } }: Pick<AccessPanelProps, "base">) {
	return (
		<p>
			{access === undefined ? ACCESS_STRINGS.all : ACCESS_STRINGS.limited(formatNumber(access.users.length))}{" "}
			<span className="faint">{ACCESS_STRINGS.ask}</span>
		</p>
	);
}

function AccessForm({ base, onChange }: AccessPanelProps) {
	const { stemma } = useApp();
	const members = useResource("members for access", (signal) =>
		stemma.members.list({ limit: MAX_MEMBERS_SHOWN }, { signal }),
	);
	const [isLimited, setLimited] = useState(base.access !== undefined);
	const [users, setUsers] = useState<ReadonlySet<string>>(new Set(base.access?.users));
	const [isSaved, setSaved] = useState(false);
	const save = useAction(async () => {
		const access = isLimited ? { users: [...users] } : "all";
		await stemma.knowledge.update(base.id, { access });
		onChange();
		setSaved(true);
	});
	const change = (perform: () => void) => {
		setSaved(false);
		perform();
	};
	return (
		<>
			<Choice
				label={ACCESS_STRINGS.all}
				isChosen={!isLimited}
				onChoose={() => change(() => setLimited(false))}
			/>
			<Choice
				label={ACCESS_STRINGS.some}
				isChosen={isLimited}
				onChoose={() => change(() => setLimited(true))}
			/>
			{isLimited && (
				<MemberChecks
					members={members.value?.data.filter(({ role }) => role !== "admin")}
					users={users}
					onChange={(changed) => change(() => setUsers(changed))}
				/>
			)}
			<p className="faint">{ACCESS_STRINGS.note}</p>
			<ErrorNotice error={members.error ?? save.error} onRetry={() => void members.reload()} />
			<p className="row">
				<button type="button" disabled={save.isRunning} onClick={() => void save.run()}>
					{ACCESS_STRINGS.save}
				</button>
				{isSaved && <span role="status">{ACCESS_STRINGS.saved}</span>}
			</p>
		</>
	);
}

interface ChoiceProps {
	readonly label: string;
	readonly isChosen: boolean;
	readonly onChoose: () => void;
}

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
	return (
		<p>
			<label>
				<input type="radio" name="access" checked={isChosen} onChange={onChoose} /> {label}
			</label>
		</p>
	);
}

interface MemberChecksProps {
	/** Left out until they are read. */
	readonly members: readonly Member[] | undefined;
	readonly users: ReadonlySet<string>;
	readonly onChange: (users: ReadonlySet<string>) => void;
}

function MemberChecks({ members, users, onChange }: MemberChecksProps) {
	if (members === undefined) return <p role="status">{STRINGS.app.loading}</p>;
	if (members.length === 0) return <p>{ACCESS_STRINGS.noMembers}</p>;
	const toggle = (id: string, isChecked: boolean) =>
		onChange(new Set(isChecked ? [...users, id] : [...users].filter((user) => user !== id)));
	return (
		<fieldset>
			<legend>{ACCESS_STRINGS.members}</legend>
			{members.map(({ id, name, email }) => (
				<p key={id} dir="auto">
					<label>
						<input
							type="checkbox"
							checked={users.has(id)}
							onChange={(event) => toggle(id, event.currentTarget.checked)}
						/>{" "}
						{visibleText(name)} <span className="small break">{visibleText(email)}</span>
					</label>
				</p>
			))}
		</fieldset>
	);
}
