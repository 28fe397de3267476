-- Times are milliseconds since the Unix epoch. One hub serves many sites: rows belong to a site by its host name, or
-- to '', the only site of a sidecar that serves one.

-- Facts about the store itself: instance, key_check, seen_at.
CREATE TABLE facts (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- What was announced, by topic; the newest only. The bytes are kept while a delivery needs them.
CREATE TABLE contents (
    site         TEXT    NOT NULL,
    topic        TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    hash         TEXT    NOT NULL,
    media_type   TEXT    NOT NULL,
    origin       TEXT    NOT NULL,
    published_at INTEGER NOT NULL,
    bytes        BLOB,
    PRIMARY KEY (site, topic, seq)
);

-- What was verified.
CREATE TABLE subscriptions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    site          TEXT    NOT NULL,
    topic         TEXT    NOT NULL,
    callback_key  TEXT    NOT NULL,
    callback      TEXT    NOT NULL,
    topic_url     TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    secret        BLOB,
    lease_end     INTEGER NOT NULL,
    failures      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    delivered_at  INTEGER,
    last_error    TEXT,
    -- The client network that it came from, for operators.
    network       TEXT    NOT NULL,
    UNIQUE (site, topic, callback_key)
);
CREATE INDEX subscriptions_host ON subscriptions (host);
CREATE INDEX subscriptions_lease_end ON subscriptions (lease_end);

-- What was asked for and not yet confirmed; the newest by topic and callback. Places are shared fairly by the networks
-- of those who ask and by the domains that are named; renewals of subscriptions take none. `seen` is the newest
-- content of the topic when it was asked for: what came after it is delivered to the new subscription.
CREATE TABLE pending (
    ticket        INTEGER NOT NULL PRIMARY KEY,
    site          TEXT    NOT NULL,
    topic         TEXT    NOT NULL,
    callback_key  TEXT    NOT NULL,
    callback      TEXT    NOT NULL,
    topic_url     TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    mode          TEXT    NOT NULL,
    secret        BLOB,
    lease         INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    claimed_by    TEXT,
    claim_until   INTEGER,
    network       TEXT    NOT NULL,
    domain        TEXT    NOT NULL,
    renews        INTEGER NOT NULL,
    seen          INTEGER NOT NULL,
    UNIQUE (site, topic, callback_key)
);
CREATE INDEX pending_due ON pending (due_at);
CREATE INDEX pending_host ON pending (host);

-- Who is yet to be told: one row by subscription, so that changes that come while one waits join it.
CREATE TABLE deliveries (
    subscription INTEGER NOT NULL PRIMARY KEY REFERENCES subscriptions (id) ON DELETE CASCADE,
    site         TEXT    NOT NULL,
    topic        TEXT    NOT NULL,
    host         TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    due_at       INTEGER NOT NULL,
    claimed_by   TEXT,
    claim_until  INTEGER
);
CREATE INDEX deliveries_due ON deliveries (due_at);
CREATE INDEX deliveries_topic ON deliveries (site, topic);

-- Hosts that the operator refuses.
CREATE TABLE blocked (host TEXT NOT NULL PRIMARY KEY);
