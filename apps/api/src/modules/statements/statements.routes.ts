import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Contributions } from '../../capability.ts';
import { userAccountId } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { userCaller } from '../../platform/limits/caller.ts';
import { createGate } from '../../platform/limits/gate.ts';
import { indexHistory } from '../activity/index.ts';
import { selectOpenedAt } from '../identity/index.ts';
import { readBalancePoints } from './balance-points.ts';
import { monthOf, monthsBetween } from './month.ts';
import { makeStatement, type StatementDeps } from './statement.ts';
import { statementCsv } from './statement-csv.ts';
import { statementPdf } from './statement-pdf.ts';

interface StatementRouteDeps
  extends EndpointDeps, Omit<StatementDeps, 'index'>, Pick<Contributions, 'historySources'> {
  readonly sheetFont: string;
}

/** Each statement reads up to 400 pages of the journal, and a PDF takes a second of one core for 3,500 lines. */
const STATEMENTS = { atOnceMax: 2, waitingMax: 200, waitMaxMs: 8_000, ofCallerMax: 1 };
const ANSWER_WITHIN_MS = 9_000;
/** A PDF of 10,000 lines takes some 3 s of one core, and about 300 pages of paper. */
const LINES_MAX = { json: 20_000, csv: 20_000, pdf: 10_000 } as const;
/** The default time span of the chart. */
const CHART_MS = 30 * 24 * 60 * 60_000;
/** Covers ten years. */
const MONTHS_MAX = 120;

export function registerStatementRoutes(app: FastifyInstance, deps: StatementRouteDeps): void {
  const { db, ledger, clock, sheetFont } = deps;
  const statementDeps = { ...deps, index: indexHistory(deps.historySources) };
  const gate = createGate(STATEMENTS);

  endpoint(app, deps, api.statements, async ({ user, query: { zone }, reply }) => {
    const openedAt = await selectOpenedAt(db, user.userId);
    if (openedAt === undefined) throw new AppError('session_ended');
    reply.header('cache-control', 'no-store');
    const newest = monthOf(dateOf(clock), zone);
    return { months: monthsBetween(monthOf(openedAt, zone), newest, MONTHS_MAX) };
  });

  endpoint(
    app,
    deps,
    { ...api.statement, answerWithinMs: ANSWER_WITHIN_MS },
    async ({ user, params: { month }, query: { format, asset, zone }, reply }) => {
      const { userId, userUuid } = user;
      const of = { userId, userUuid, asset, month, zone, lineCountMax: LINES_MAX[format] };
      const madeAt = dateOf(clock);
      const file = await gate(userCaller(userId), async () => {
        const statement = await makeStatement(statementDeps, of);
        if (format === 'csv') return statementCsv(statement);
        return format === 'pdf'
          ? statementPdf(statement, { fontFile: sheetFont, madeAt })
          : statement;
      });
      reply.header('cache-control', 'no-store');
      if (format === 'json') return file as Exclude<typeof file, string | Buffer>;
      return reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf')
        .header(
          'content-disposition',
          `attachment; filename="statement-${month}-${asset}.${format}"`,
        )
        .send(file);
    },
  );

  endpoint(app, deps, api.balanceHistory, async ({ user, query, reply }) => {
    const to = query.to === undefined ? dateOf(clock) : new Date(query.to);
    const from =
      query.from === undefined ? new Date(to.getTime() - CHART_MS) : new Date(query.from);
    if (from >= to) {
      throw new AppError('invalid_request', { detail: '"from" must be before "to".' });
    }
    const accountId = userAccountId(user.userId, query.asset);
    const points = await gate(userCaller(user.userId), () =>
      readBalancePoints(ledger, accountId, { from, to }),
    );
    reply.header('cache-control', 'no-store');
    return {
      points: points.map(({ atMs, units }) => ({
        at: new Date(atMs).toISOString(),
        balance: units.toString(),
      })),
    };
  });
}
