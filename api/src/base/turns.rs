//! Lets the clients of a scarce resource take turns, so that many requests of one client do not
//! delay another client.

use crate::domain::error::ServiceError;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a request waits for the other requests of its client.
const MAX_WAIT: Duration = Duration::from_secs(5);

type Queues = Arc<Mutex<HashMap<IpAddr, Arc<Semaphore>>>>;

/// A queue for each client address. Only addresses with a request in progress have one.
pub struct ClientTurns {
    /// The number of requests of one client that run at once.
    at_once: usize,
    /// How long a request waits for the other requests of its client.
    max_wait: Duration,
    queues: Queues,
}

/// A turn of a client. It ends when this value is dropped.
pub struct Turn {
    address: IpAddr,
    queues: Queues,
    /// `None` only while the turn is dropped.
    permit: Option<OwnedSemaphorePermit>,
    queue: Option<Arc<Semaphore>>,
}

impl ClientTurns {
    /// Creates queues that serve this many requests of one client at once.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self { at_once, max_wait: MAX_WAIT, queues: Arc::default() }
    }

    /// Waits for a turn of a client.
    ///
    /// # Errors
    ///
    /// 503 if the client's other requests take too long.
    pub async fn take(&self, address: IpAddr) -> Result<Turn, ServiceError> {
        let queue = {
            let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
            let queue = queues.entry(address).or_insert_with(|| Arc::new(Semaphore::new(self.at_once)));
            Arc::clone(queue)
        };
        // If the wait ends early, dropping the turn removes the queue.
        let mut turn =
            Turn { address, queues: self.queues.clone(), permit: None, queue: Some(queue.clone()) };
        let permit = tokio::time::timeout(self.max_wait, queue.acquire_owned()).await;
        turn.permit = Some(permit.map_err(|_| ServiceError::BUSY)?.map_err(anyhow::Error::from)?);
        Ok(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        drop((self.permit.take(), self.queue.take()));
        // The map has the last reference if no other request waits or runs.
        if queues.get(&self.address).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            queues.remove(&self.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[tokio::test]
    async fn requests_of_one_client_do_not_delay_another_client() {
        let turns = ClientTurns::new(2);
        let (one, other) = (IpAddr::from([1, 1, 1, 1]), IpAddr::from([2, 2, 2, 2]));
        let (first, second) = (turns.take(one).await.unwrap(), turns.take(one).await.unwrap());
        let mut third = Box::pin(turns.take(one));
        assert!((&mut third).now_or_never().is_none(), "a third request has a turn");
        turns.take(other).now_or_never().expect("another client waits").unwrap();
        drop(first);
        let third = third.await.unwrap();
        drop((second, third));
        assert!(turns.queues.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn wait_is_limited() {
        let turns = ClientTurns { max_wait: Duration::ZERO, ..ClientTurns::new(1) };
        let address = IpAddr::from([1, 1, 1, 1]);
        let first = turns.take(address).await.unwrap();
        assert!(matches!(turns.take(address).await, Err(ServiceError::Busy(_))));
        drop(first);
        assert!(turns.queues.lock().unwrap().is_empty());
        turns.take(address).await.unwrap();
    }
}
