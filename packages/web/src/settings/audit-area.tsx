import { type AuditAction, type AuditRecord, visibleText } from "@stemma/client";
import { useId, useState } from "react";
import { useApp } from "../data/app-context";
import { saveCsv, toCsv } from "../data/csv";
import { formatNumber, formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { PAGE_SIZE, readPages, useList } from "../data/use-list";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { Field } from "../shell/field";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { type ActorNames, readActorNames } from "./actor-names";
import { toActionChoices } from "./audit-actions";
import { ListedPanel } from "./listed-panel";

/** Records of a file; more would take long to read and to open. */
const MAX_CSV_RECORDS = 10_000;

const NO_NAMES: ActorNames = new Map();

/** Audit of the workspace, newest first: filter, pages, and a file of it. */
export function AuditArea() {
	const words = ADMIN_STRINGS.audit;
	const { stemma } = useApp();
	const [action, setAction] = useState<AuditAction>();
	const filter = action === undefined ? {} : { action };
	const list = useList(`audit ${action ?? ""}`, (page, signal) =>
		stemma.audit.list({ ...page, ...filter }, { signal }),
	);
	const names = useResource("actors", (signal) => readActorNames(stemma, signal)).value ?? NO_NAMES;
	const [isCut, setCut] = useState(false);
	const save = useAction(async () => {
		const { data, has_more } = await readPages(
			(page, signal) => stemma.audit.list({ ...page, ...filter }, { signal }),
			MAX_CSV_RECORDS / PAGE_SIZE,
			new AbortController().signal,
		);
		setCut(has_more);
		saveCsv(
			`audit-${action ?? "all"}.csv`,
			toCsv(
				words.columns,
				data.map((record) => toRow(record, names)),
			),
		);
	});
	return (
		<>
			<p className="faint">{words.lead}</p>
			<div className="row ends audit-filter">
				<ActionChoice action={action} records={list.value?.data ?? []} onChange={setAction} />
				<button type="button" disabled={save.isRunning} onClick={() => void save.run()}>
					{save.isRunning ? words.preparing : words.csv}
				</button>
			</div>
			<div role="status">
				{isCut && <p className="notice">{words.tooMany(formatNumber(MAX_CSV_RECORDS))}</p>}
			</div>
			<ErrorNotice error={save.error} />
			<ListedPanel
				title={ADMIN_STRINGS.settings.names.audit}
				none={action === undefined ? words.none : words.noneOfAction}
				list={list}
				renderItem={(record) => <AuditRow key={record.id} record={record} names={names} />}
			/>
		</>
	);
}

const toRow = (record: AuditRecord, names: ActorNames): readonly string[] => [
	record.id,
	record.at,
	record.action,
	record.actor,
	names.get(record.actor) ?? "",
	record.target,
	JSON.stringify(record.details),
	record.request_id ?? "",
];

interface ActionChoiceProps {
	readonly action: AuditAction | undefined;
	readonly records: readonly AuditRecord[];
	readonly onChange: (action: AuditAction | undefined) => void;
}

function ActionChoice({ action, records, onChange }: ActionChoiceProps) {
	const words = ADMIN_STRINGS.audit;
	const choices = toActionChoices(records);
	const id = useId();
	return (
		<Field label={words.action} htmlFor={id}>
			<select
				id={id}
				value={action ?? ""}
				onChange={(event) => onChange(choices.find((one) => one === event.target.value))}
			>
				<option value="">{words.allActions}</option>
				{choices.map((one) => (
					<option key={one} value={one}>
						{one}
					</option>
				))}
			</select>
		</Field>
	);
}

interface AuditRowProps {
	readonly record: AuditRecord;
	readonly names: ActorNames;
}

function AuditRow({ record, names }: AuditRowProps) {
	const words = ADMIN_STRINGS.audit;
	const { action, actor, at, target, details, request_id } = record;
	const actorName = actor === "operator" ? words.operator : (names.get(actor) ?? actor);
	const targetName = names.get(target);
	return (
		<li className="record break">
			<div className="row">
				<strong>{action}</strong>
				<code className="small">{visibleText(target)}</code>
				{targetName !== undefined && <span dir="auto">{visibleText(targetName)}</span>}
			</div>
			<p className="small" dir="auto">
				<time dateTime={at}>{formatTime(at)}</time> · {words.by(visibleText(actorName))}
			</p>
			<details>
				<summary className="small" aria-label={`${words.details}: ${action}, ${formatTime(at)}`}>
					{words.details}
				</summary>
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
				<pre tabIndex={0}>{visibleText(JSON.stringify(details, null, 2))}</pre>
				<p className="small">
					<code>{actor}</code>
					{request_id !== null && (
						<>
							{" · "}
							{words.request}: <code>{visibleText(request_id)}</code>
						</>
					)}
				</p>
			</details>
		</li>
	);
}
