import {
	AliasNode,
	AndNode,
	BinaryOperationNode,
	ColumnNode,
	type DeleteQueryNode,
	IdentifierNode,
	type JoinNode,
	type OnConflictNode,
	OnNode,
	type OperationNode,
	OperationNodeTransformer,
	OperatorNode,
	ParensNode,
	type QueryId,
	ReferenceNode,
	type SelectQueryNode,
	TableNode,
	type UpdateQueryNode,
	ValueNode,
	WhereNode,
	type WithNode,
} from "kysely";

const WORKSPACE = ColumnNode.create("workspace");

/** Value that stands for the workspace in raw SQL. */
export const OWN_WORKSPACE = Symbol("own workspace");

/** Joins whose condition is in `WHERE`, as they have no `ON`. */
const JOINS_WITHOUT_CONDITION: readonly JoinNode["joinType"][] = ["CrossJoin", "Using", "LateralCrossJoin"];

/** Adds the condition on the workspace to each table that a query reads, changes or deletes from. */
export class OwnRowsTransformer extends OperationNodeTransformer {
	readonly #workspace: ValueNode;
	/** Names of common table expressions of the query, whose rows come from tables that have the condition. */
	readonly #expressions = new Set<string>();

	constructor(workspaceId: string) {
		super();
		this.#workspace = ValueNode.create(workspaceId);
	}

	protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
		this.#addExpressions(node.with);
		const query = super.transformSelectQuery(node, queryId);
		const tables = [...(query.from?.froms ?? []), ...listUnconditional(query.joins)];
		return this.#withWhere(query, tables);
	}

	protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
		this.#addExpressions(node.with);
		const query = super.transformUpdateQuery(node, queryId);
		const targets = query.table === undefined ? [] : [query.table];
		return this.#withWhere(query, [
			...targets,
			...(query.from?.froms ?? []),
			...listUnconditional(query.joins),
		]);
	}

	protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
		this.#addExpressions(node.with);
		const query = super.transformDeleteQuery(node, queryId);
		return this.#withWhere(query, [
			...query.from.froms,
			...(query.using?.tables ?? []),
			...listUnconditional(query.joins),
		]);
	}

	protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
		const join = super.transformJoin(node, queryId);
		if (JOINS_WITHOUT_CONDITION.includes(join.joinType)) return join;
		const condition = this.#toCondition([join.table]);
		if (condition === undefined) return join;
		return { ...join, on: OnNode.create(and(join.on?.on, condition)) };
	}

	protected override transformValue(node: ValueNode): ValueNode {
		return node.value === OWN_WORKSPACE ? this.#workspace : node;
	}

	protected override transformOnConflict(node: OnConflictNode, queryId?: QueryId): OnConflictNode {
		const conflict = super.transformOnConflict(node, queryId);
		if (conflict.columns === undefined) return conflict;
		return { ...conflict, columns: [WORKSPACE, ...conflict.columns] };
	}

	#addExpressions(node: WithNode | undefined): void {
		for (const { name } of node?.expressions ?? []) this.#expressions.add(name.table.table.identifier.name);
	}

	#withWhere<Query extends { readonly where?: WhereNode }>(
		query: Query,
		tables: readonly OperationNode[],
	): Query {
		const condition = this.#toCondition(tables);
		if (condition === undefined) return query;
		return { ...query, where: WhereNode.create(and(query.where?.where, condition)) };
	}

	/** Condition of all tables among some nodes; subqueries have theirs inside. */
	#toCondition(nodes: readonly OperationNode[]): OperationNode | undefined {
		let condition: OperationNode | undefined;
		for (const node of nodes) {
			const table = this.#findTable(node);
			if (table === undefined) continue;
			const own = BinaryOperationNode.create(
				ReferenceNode.create(WORKSPACE, table),
				OperatorNode.create("="),
				this.#workspace,
			);
			condition = condition === undefined ? own : AndNode.create(condition, own);
		}
		return condition;
	}

	/** Finds the name under which a query refers to a table. */
	#findTable(node: OperationNode): TableNode | undefined {
		const table = AliasNode.is(node) ? node.node : node;
		if (!TableNode.is(table) || this.#expressions.has(table.table.identifier.name)) return undefined;
		if (!AliasNode.is(node)) return table;
		return IdentifierNode.is(node.alias) ? TableNode.create(node.alias.name) : undefined;
	}
}

/** Both conditions; the first in parentheses, as raw SQL may have an OR in it. */
const and = (condition: OperationNode | undefined, own: OperationNode): OperationNode =>
	condition === undefined ? own : AndNode.create(ParensNode.create(condition), own);

const listUnconditional = (joins: readonly JoinNode[] | undefined): readonly OperationNode[] =>
	(joins ?? [])
		.filter(({ joinType }) => JOINS_WITHOUT_CONDITION.includes(joinType))
		.map(({ table }) => table);
