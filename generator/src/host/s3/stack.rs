//! The stack: bucket, what runs at the edge, and which paths the sidecar answers. The bucket is read
//! through its website address, which finds the page of a folder and sends 404.html; what is in it is
//! public in any case.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Functions;
use crate::host::{ROUTES, Site};
use contract::fields;

const REQUEST: &str = include_str!("request.js");
const RESPONSE: &str = include_str!("response.js");
const HEAD: &str = "// Written by `candor host s3`. The next build replaces it.\n";

/// CloudFront's own policies, which have the same ids in every account.
const CACHING_OPTIMIZED: &str = "658327ea-f89d-4fab-a63d-7e88639e58f6";
const CACHING_DISABLED: &str = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const ALL_VIEWER_EXCEPT_HOST: &str = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

const ALL_METHODS: [&str; 7] = ["GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"];
const RUNTIME: &str = "cloudfront-js-2.0";
/// Longest wait for the sidecar, in seconds.
const READ_TIMEOUT: u32 = 60;

pub(super) fn request(site: &Site<'_>) -> String {
    let posted: Vec<_> = ROUTES.iter().filter(|route| route.post).map(|route| route.path).collect();
    let routes: Vec<_> = ROUTES.iter().map(|route| route.path).collect();
    let none = site.sidecar.is_none();
    let without_extension: Vec<_> = site
        .documents
        .iter()
        .filter_map(|document| document.url.strip_prefix(&site.prefix))
        .filter(|below| {
            below.rsplit('/').next().is_some_and(|name| !name.is_empty() && !name.contains('.'))
        })
        .collect();
    let previous: Vec<_> = site
        .previous
        .iter()
        .map(|origin| json!({ "host": origin.host, "prefix": origin.prefix }))
        .collect();
    let facts = json!({
        "base_url": site.base_url,
        "host": site.authority,
        "prefix": site.prefix,
        "previous": previous,
        "routes": if none { Vec::new() } else { routes },
        "posted": if none { Vec::new() } else { posted },
        "without_extension": without_extension,
        "allow": fields::DOCUMENT_METHODS,
        "preflight": {
            "access-control-allow-methods": fields::ALLOW_METHODS,
            "access-control-allow-headers": fields::ALLOW_HEADERS,
            "access-control-max-age": fields::MAX_AGE,
        },
    });
    format!("{HEAD}const SITE = {facts};\n{REQUEST}")
}

pub(super) fn response(site: &Site<'_>) -> String {
    let below = |url: &str| url.strip_prefix(&site.prefix).unwrap_or(url).to_owned();
    let links: BTreeMap<_, _> = site
        .documents
        .iter()
        .filter_map(|document| Some((below(&document.url), document.link.as_deref()?)))
        .collect();
    format!("{HEAD}const LINKS = {};\n{RESPONSE}", json!(links))
}

pub(super) fn template(site: &Site<'_>, functions: &Functions) -> Value {
    json!({
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": format!("{}, written by candor host s3", site.base_url),
        "Parameters": {
            "Certificate": {
                "Type": "String",
                "Description": "ARN of the certificate of all the site's names, in us-east-1",
            },
        },
        "Resources": {
            "Bucket": bucket(),
            "BucketPolicy": bucket_policy(),
            "Headers": headers(),
            "Request": function("request", &functions.request),
            "Response": function("response", &functions.response),
            "Distribution": distribution(site),
        },
        "Outputs": {
            "Bucket": { "Description": "upload.sh takes this", "Value": { "Ref": "Bucket" } },
            "Domain": {
                "Description": "the site's names point here",
                "Value": { "Fn::GetAtt": ["Distribution", "DomainName"] },
            },
        },
    })
}

fn bucket() -> Value {
    json!({
        "Type": "AWS::S3::Bucket",
        "Properties": {
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": true, "IgnorePublicAcls": true,
                "BlockPublicPolicy": false, "RestrictPublicBuckets": false,
            },
            "WebsiteConfiguration": { "IndexDocument": "index.html", "ErrorDocument": "404.html" },
        },
    })
}

fn bucket_policy() -> Value {
    json!({
        "Type": "AWS::S3::BucketPolicy",
        "Properties": {
            "Bucket": { "Ref": "Bucket" },
            "PolicyDocument": {
                "Version": "2012-10-17",
                "Statement": [{
                    "Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",
                    "Resource": { "Fn::Sub": "${Bucket.Arn}/*" },
                }],
            },
        },
    })
}

fn headers() -> Value {
    let list = |field: &str| -> Vec<String> { field.split(", ").map(str::to_owned).collect() };
    json!({
        "Type": "AWS::CloudFront::ResponseHeadersPolicy",
        "Properties": { "ResponseHeadersPolicyConfig": {
            "Name": { "Fn::Sub": "${AWS::StackName}-documents" },
            "CorsConfig": {
                "AccessControlAllowCredentials": false,
                "AccessControlAllowHeaders": { "Items": list(fields::ALLOW_HEADERS) },
                "AccessControlAllowMethods": { "Items": list(fields::ALLOW_METHODS) },
                "AccessControlAllowOrigins": { "Items": [fields::ALLOW_ORIGIN] },
                "AccessControlExposeHeaders": { "Items": list(fields::EXPOSE_HEADERS) },
                "OriginOverride": true,
            },
            "SecurityHeadersConfig": { "ContentTypeOptions": { "Override": true } },
        } },
    })
}

fn function(name: &str, code: &str) -> Value {
    let name = json!({ "Fn::Sub": format!("${{AWS::StackName}}-{name}") });
    json!({
        "Type": "AWS::CloudFront::Function",
        "Properties": {
            "Name": name,
            "AutoPublish": true,
            "FunctionCode": code,
            "FunctionConfig": { "Comment": "candor", "Runtime": RUNTIME },
        },
    })
}

fn distribution(site: &Site<'_>) -> Value {
    let name = site.authority.split(':').next().unwrap_or_default();
    let mut aliases: Vec<&str> = vec![name];
    aliases.extend(site.previous.iter().map(|origin| origin.host.as_str()));
    aliases.sort_unstable();
    aliases.dedup();
    let bucket = json!({
        "Id": "documents",
        "DomainName": { "Fn::Select": [1, { "Fn::Split": ["//", { "Fn::GetAtt": ["Bucket", "WebsiteURL"] }] }] },
        "CustomOriginConfig": { "OriginProtocolPolicy": "http-only" },
    });
    let origins: Vec<_> = std::iter::once(bucket).chain(sidecar(site)).collect();
    json!({
        "Type": "AWS::CloudFront::Distribution",
        "Properties": { "DistributionConfig": {
            "Enabled": true,
            "Aliases": aliases,
            "HttpVersion": "http2and3",
            "IPV6Enabled": true,
            "ViewerCertificate": {
                "AcmCertificateArn": { "Ref": "Certificate" },
                "SslSupportMethod": "sni-only",
                "MinimumProtocolVersion": "TLSv1.2_2021",
            },
            "Origins": origins,
            "DefaultCacheBehavior": documents(),
            "CacheBehaviors": dynamic(site),
        } },
    })
}

fn sidecar(site: &Site<'_>) -> Option<Value> {
    let sidecar = site.sidecar.as_ref()?;
    let mut origin = json!({ "OriginReadTimeout": READ_TIMEOUT });
    origin["OriginProtocolPolicy"] = json!(format!("{}-only", sidecar.scheme()));
    origin[if sidecar.scheme() == "https" { "HTTPSPort" } else { "HTTPPort" }] =
        json!(sidecar.port());
    Some(json!({ "Id": "sidecar", "DomainName": sidecar.host(), "CustomOriginConfig": origin }))
}

fn documents() -> Value {
    json!({
        "TargetOriginId": "documents",
        "ViewerProtocolPolicy": "redirect-to-https",
        "AllowedMethods": ALL_METHODS,
        "Compress": true,
        "CachePolicyId": CACHING_OPTIMIZED,
        "ResponseHeadersPolicyId": { "Ref": "Headers" },
        "FunctionAssociations": [
            at_the_edge("viewer-request", "Request"),
            at_the_edge("viewer-response", "Response"),
        ],
    })
}

/// The routes of the sidecar, under every address the site has or had. Nothing is cached, every
/// method and field goes through, the Host is the sidecar's own.
fn dynamic(site: &Site<'_>) -> Vec<Value> {
    if site.sidecar.is_none() {
        return Vec::new();
    }
    let mut prefixes = vec![site.prefix.as_str()];
    prefixes.extend(site.previous.iter().map(|origin| origin.prefix.as_str()));
    prefixes.sort_unstable();
    prefixes.dedup();
    let pattern = |prefix: &str, path: &str| match path.ends_with('/') {
        true => format!("{prefix}{path}*"),
        false => format!("{prefix}{path}"),
    };
    let below = prefixes.iter().any(|prefix| !prefix.is_empty());
    let functions: Vec<_> = Some(at_the_edge("viewer-request", "Request"))
        .filter(|_| below || !site.previous.is_empty())
        .into_iter()
        .collect();
    let behaviour = |path_pattern: String| {
        json!({
            "PathPattern": path_pattern,
            "TargetOriginId": "sidecar",
            "ViewerProtocolPolicy": "https-only",
            "AllowedMethods": ALL_METHODS,
            "Compress": false,
            "CachePolicyId": CACHING_DISABLED,
            "OriginRequestPolicyId": ALL_VIEWER_EXCEPT_HOST,
            "FunctionAssociations": functions,
        })
    };
    prefixes
        .iter()
        .flat_map(|prefix| ROUTES.map(|route| pattern(prefix, route.path)))
        .map(behaviour)
        .collect()
}

fn at_the_edge(event: &str, name: &str) -> Value {
    json!({ "EventType": event, "FunctionARN": { "Fn::GetAtt": [name, "FunctionARN"] } })
}
