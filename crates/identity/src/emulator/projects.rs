//! The projects of an emulator, each with its own database.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use platform::{Clock, Db, Error, Random, Result};
use tokio::sync::Mutex;

use crate::services::Services;
use crate::settings::{ProjectSettings, Site};

const MAX_PROJECTS: usize = 100;

/// The emulated projects, each created when it is first used.
#[derive(Clone)]
pub struct Projects(Arc<ProjectsInner>);

struct ProjectsInner {
    /// For the database files.
    folder: PathBuf,
    clock: Clock,
    random: Random,
    settings: ProjectSettings,
    site: Site,
    open: Mutex<BTreeMap<String, Arc<Services>>>,
}

impl Projects {
    /// `folder` must not be used by anything else.
    pub fn new(
        folder: PathBuf,
        clock: Clock,
        random: Random,
        settings: ProjectSettings,
        site: Site,
    ) -> Self {
        let open = Mutex::default();
        Self(Arc::new(ProjectsInner { folder, clock, random, settings, site, open }))
    }

    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The project of calls that name none.
    pub async fn default_project(&self) -> Result<Arc<Services>> {
        self.get_or_create(&self.0.settings.project_id).await
    }

    pub async fn get_or_create(&self, project: &str) -> Result<Arc<Services>> {
        let ProjectsInner { folder, clock, random, settings, site, open } = &*self.0;
        let mut open = open.lock().await;
        if let Some(identity) = open.get(project) {
            return Ok(identity.clone());
        }
        if open.len() >= MAX_PROJECTS || project.len() > 128 {
            return Err(Error::Unavailable("too many projects".into()));
        }
        let file = folder.join(format!("{}.db", open.len()));
        let db = Db::open(&format!("sqlite://{}", file.display())).await?;
        db.migrate(clock).await?;
        let settings = ProjectSettings { project_id: project.into(), ..settings.clone() };
        let (clock, random) = (clock.clone(), random.clone());
        let identity = Arc::new(Services::for_emulator(db, clock, random, settings, site.clone())?);
        open.insert(project.into(), identity.clone());
        Ok(identity)
    }
}
