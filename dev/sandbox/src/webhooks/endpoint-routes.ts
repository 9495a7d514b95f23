import type Stripe from 'stripe';
import { createId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';
import { isLoopbackUrl } from '../settings.ts';
import { invalidRequest, missingParameter, missingResource } from '../transport/errors.ts';
import { answerList, listSpec } from '../transport/list.ts';
import { mergeMetadata, readGiven, readList } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Answer, Call, Route } from '../transport/route.ts';
import { apiVersion } from './events.ts';

const configuredId = 'we_configured_by_settings';

function describeEndpoint(
  sandbox: Sandbox,
  known: Pick<Stripe.WebhookEndpoint, 'id' | 'url' | 'enabled_events' | 'description' | 'metadata'>,
): Stripe.WebhookEndpoint {
  return {
    ...known,
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: sandbox.clock.nowSeconds(),
    livemode: false,
    status: 'enabled',
  };
}

/** Stores the endpoint from the settings at each start, and removes it if it is no longer set. */
export function keepConfiguredEndpoint(sandbox: Sandbox): void {
  const { webhookUrl, webhookSecret } = sandbox.settings;
  if (webhookUrl === null) {
    sandbox.store.remove('webhook_endpoint', configuredId);
    return;
  }
  const endpoint = describeEndpoint(sandbox, {
    id: configuredId,
    url: webhookUrl,
    enabled_events: ['*'],
    description: 'From the settings of the sandbox',
    metadata: {},
  });
  const isKnown = sandbox.store.find('webhook_endpoint', configuredId) !== undefined;
  const hidden = { secret: webhookSecret };
  if (isKnown) sandbox.store.update('webhook_endpoint', endpoint, hidden);
  else sandbox.store.insert('webhook_endpoint', endpoint, hidden);
}

function create(call: Call): Answer {
  const { sandbox, form } = call;
  const url = readGiven(form, 'url');
  const events = readList(form, 'enabled_events');
  if (url === undefined) throw missingParameter('url');
  if (events.length === 0) throw missingParameter('enabled_events');
  if (!isLoopbackUrl(url)) {
    throw invalidRequest('The sandbox sends to http addresses of this machine only.', 'url');
  }
  const endpoint = describeEndpoint(sandbox, {
    id: createId('we_1'),
    url,
    enabled_events: events,
    description: readGiven(form, 'description') ?? null,
    metadata: mergeMetadata({}, form),
  });
  const secret = createId('whsec_');
  sandbox.store.insert('webhook_endpoint', endpoint, { secret });
  return ok({ ...endpoint, secret });
}

function find(call: Call): Stripe.WebhookEndpoint {
  const endpoint = call.sandbox.store.find('webhook_endpoint', call.id)?.object;
  if (endpoint === undefined) throw missingResource('webhook endpoint', call.id);
  return endpoint;
}

/** Only the response to create contains the secret. */
export const endpointRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    params: {
      url: 'text',
      enabled_events: 'list',
      description: 'text',
      metadata: 'map',
      api_version: 'text',
      expand: 'list',
    },
    run: create,
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    params: listSpec,
    run: (call) => answerList(call, 'webhook_endpoint', { url: '/v1/webhook_endpoints' }),
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    params: { expand: 'list' },
    run: (call) => ok(find(call)),
  },
  {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    params: {},
    run: (call) => {
      const { id } = find(call);
      call.sandbox.store.remove('webhook_endpoint', id);
      return ok({ id, object: 'webhook_endpoint', deleted: true });
    },
  },
];
