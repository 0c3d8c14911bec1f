import { ConflictError, InvalidRequestError, type StoredAgent } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { type RefObject, useId, useRef, useState } from "react";
import { useApp } from "../../data/app-context";
import { formatNumber } from "../../data/format";
import { useAction } from "../../data/use-action";
import { useResource } from "../../data/use-resource";
import { ErrorNotice } from "../../shell/error-notice";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { type CheckedDraft, type DraftIssue, placeIssues } from "./check-draft";
import { IssueList } from "./issue-list";
import { JsonEditor, type JsonEditorHandle } from "./json-editor";
import { readIssues } from "./read-issues";
import type { AgentDraft } from "./use-agent-draft";

const MAX_SUGGESTED = 100;
const MAX_NOTE_CHARACTERS = 500;

interface AgentEditorProps {
	readonly agent: StoredAgent;
	readonly draft: AgentDraft;
	readonly checked: CheckedDraft;
	readonly onSaved: (agent: StoredAgent) => void;
}

/** The graph of an agent as JSON, to change and to save as its next version. */
export function AgentEditor({ agent, draft, checked, onSaved }: AgentEditorProps) {
	const words = AGENT_STRINGS;
	const editor = useRef<JsonEditorHandle>(null);
	const knowledgeBases = useKnowledgeBases();
	const saving = useSave({ agent, draft, onSaved });
	const [note, setNote] = useState("");
	const save = (version: number | undefined) => {
		if (checked.graph !== undefined) saving.save(checked.graph, version, note.trim());
		setNote("");
	};
	const issues = checked.issues.length > 0 ? checked.issues : saving.issues;
	return (
		<section className="panel" aria-label={words.editor}>
			<h2>{words.editor}</h2>
			<p className="small">{words.editorHint}</p>
			<JsonEditor
				ref={editor}
				label={words.editor}
				text={draft.text}
				issues={issues}
				knowledgeBases={knowledgeBases}
				onChange={(text) => {
					draft.change(text);
					saving.clear();
				}}
			/>
			<IssueList issues={issues} onSelect={(issue) => select(editor, issue)} />
			{draft.isChanged && <NoteField note={note} onChange={setNote} />}
			<div className="row">
				<button
					type="button"
					className="primary"
					disabled={saving.isRunning || checked.graph === undefined || !draft.isChanged}
					onClick={() => save(draft.version)}
				>
					{saving.isRunning ? words.saving : words.save}
				</button>
				{draft.isChanged && (
					<button type="button" onClick={() => draft.reset(agent)}>
						{words.reset}
					</button>
				)}
			</div>
			{saving.savedVersion !== undefined && !draft.isChanged && (
				<p role="status">{words.saved(formatNumber(saving.savedVersion))}</p>
			)}
			{saving.isConflict ? (
				<Conflict onLoad={() => saving.loadNewest()} onSave={() => save(undefined)} />
			) : (
				saving.issues.length === 0 && <ErrorNotice error={saving.error} />
			)}
		</section>
	);
}

interface NoteFieldProps {
	readonly note: string;
	readonly onChange: (note: string) => void;
}

/** Note on the version that is saved next. */
function NoteField({ note, onChange }: NoteFieldProps) {
	const id = useId();
	return (
		<>
			<p className="small">{AGENT_STRINGS.unsaved}</p>
			<div className="field">
				<label htmlFor={id}>{AGENT_STRINGS.note}</label>
				<input
					id={id}
					value={note}
					maxLength={MAX_NOTE_CHARACTERS}
					autoComplete="off"
					onChange={(event) => onChange(event.target.value)}
				/>
			</div>
		</>
	);
}

const select = (editor: RefObject<JsonEditorHandle | null>, { from, to }: DraftIssue): void =>
	editor.current?.select(from, to);

function useKnowledgeBases(): readonly string[] {
	const { stemma } = useApp();
	const list = useResource("suggested knowledge bases", (signal) =>
		stemma.knowledge.list({ limit: MAX_SUGGESTED }, { signal }),
	);
	return list.value?.data.map(({ slug }) => slug) ?? [];
}

/** Saves a draft; somebody else may have changed the agent, and the service may know more than the page. */
function useSave({ agent, draft, onSaved }: Omit<AgentEditorProps, "checked">) {
	const { stemma } = useApp();
	const [savedVersion, setSavedVersion] = useState<number>();
	const save = useAction(async (graph: AgentGraph, version: number | undefined, note: string) => {
		setSavedVersion(undefined);
		const sent = draft.text;
		const saved = await stemma.agents.replace(agent.id, {
			graph,
			...(version !== undefined && { version }),
			...(note !== "" && { note }),
		});
		setSavedVersion(saved.version);
		draft.settle(sent, saved);
		onSaved(saved);
	});
	const load = useAction(async () => {
		const newest = await stemma.agents.get(agent.id);
		save.clearError();
		draft.reset(newest);
		onSaved(newest);
	});
	const { error } = save;
	return {
		isRunning: save.isRunning || load.isRunning,
		error: load.error ?? error,
		isConflict: error !== undefined && ConflictError.is(error) && error.code === "agent_changed",
		issues: InvalidRequestError.is(error) ? placeIssues(draft.text, readIssues(error.details)) : NO_ISSUES,
		savedVersion,
		save: (graph: AgentGraph, version: number | undefined, note: string) =>
			void save.run(graph, version, note),
		loadNewest: () => void load.run(),
		clear: save.clearError,
	};
}

const NO_ISSUES: readonly DraftIssue[] = [];

interface ConflictProps {
	readonly onLoad: () => void;
	readonly onSave: () => void;
}

function Conflict({ onLoad, onSave }: ConflictProps) {
	const words = AGENT_STRINGS;
	return (
		<div className="notice bad" role="alert">
			<strong>{words.conflict}</strong>
			<p>{words.conflictText}</p>
			<div className="row">
				<button type="button" onClick={onLoad}>
					{words.loadNewest}
				</button>
				<button type="button" className="danger" onClick={onSave}>
					{words.saveOver}
				</button>
			</div>
		</div>
	);
}
